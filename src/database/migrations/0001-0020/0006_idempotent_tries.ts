import type { Migration } from "../Migration.ts"

/** An idempotent answer names the process that works on it, and the ids of what the request creates. */
export const idempotentTries: Migration = {
  id: 6,
  name: "idempotent_tries",
  sql: () => `
    ALTER TABLE idempotency ADD COLUMN process_id text COLLATE "C", ADD COLUMN id_body text;
  `
}
