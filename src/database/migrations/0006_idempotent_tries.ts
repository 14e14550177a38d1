/** A first answer knows which process works on it, and of which ids the things are that the request makes. */
import type { Migration } from "./Migration.ts"

export const idempotentTries: Migration = {
  id: 6,
  name: "idempotent_tries",
  sql: () => `
    ALTER TABLE idempotency ADD COLUMN process_id text COLLATE "C", ADD COLUMN id_body text;
  `
}
