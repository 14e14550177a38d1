import type { Migration } from "../Migration.ts"

/** Sessions of the console, each bound to an API key, and the one-time codes that begin one. */
export const session: Migration = {
  id: 20,
  name: "session",
  // No foreign key to api_key: a session of a key that is gone is refused when the key is looked up.
  sql: () => `
    CREATE TABLE session (
      id text COLLATE "C" PRIMARY KEY,
      hash bytea NOT NULL UNIQUE,
      key_id text COLLATE "C" NOT NULL,
      last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX session_of_key ON session (key_id, id DESC);

    CREATE TABLE sign_in_code (
      hash bytea PRIMARY KEY,
      key_id text COLLATE "C" NOT NULL,
      expires_at timestamptz NOT NULL
    );
  `
}
