import type { Migration } from "../Migration.ts"

/**
 * An idempotent answer belongs to the API key that asked for it, and the audit log marks replays. Answers from before are
 * removed, because their key is unknown and they may contain a secret. That they were given stays known for their 24
 * hours (empty key_id), so that no request is repeated.
 */
export const boundReplays: Migration = {
  id: 14,
  name: "bound_replays",
  sql: () => `
    ALTER TABLE idempotency ADD COLUMN key_id text COLLATE "C" NOT NULL DEFAULT '';
    ALTER TABLE idempotency ALTER COLUMN key_id DROP DEFAULT;
    ALTER TABLE idempotency DROP CONSTRAINT idempotency_pkey;
    ALTER TABLE idempotency ADD PRIMARY KEY (owner_id, key_id, endpoint, key);
    UPDATE idempotency SET status = coalesce(status, 409), headers = NULL, body = NULL;

    ALTER TABLE audit_entry ADD COLUMN replay boolean NOT NULL DEFAULT false;
  `
}
