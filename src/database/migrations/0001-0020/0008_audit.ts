import type { Migration } from "../Migration.ts"

/** The audit log: which actions each API key made. */
export const audit: Migration = {
  id: 8,
  name: "audit",
  // No foreign key to api_key: an entry outlives the key.
  sql: () => `
    CREATE TABLE audit_entry (
      id text COLLATE "C" PRIMARY KEY,
      owner_id text COLLATE "C" NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      key_id text COLLATE "C",
      action text NOT NULL,
      target text,
      result text,
      status int,
      request_id text
    );
    CREATE INDEX audit_entry_of_owner ON audit_entry (owner_id, id DESC);
    CREATE INDEX audit_entry_by_age ON audit_entry (at);
  `
}
