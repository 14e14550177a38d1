/** What all processes on one database share: who is alive, token buckets, open streams, and gates. */
import type { Migration } from "./Migration.ts"

export const sharedLimits: Migration = {
  id: 5,
  name: "shared_limits",
  // unlogged: buckets and gates change at every step and are worth nothing after a crash of Postgres, when a bucket is
  // full and a gate is open. No fsync is waited for.
  sql: () => `
    CREATE TABLE server_process (
      id text COLLATE "C" PRIMARY KEY,
      started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      alive_until timestamptz NOT NULL
    );

    CREATE UNLOGGED TABLE bucket (
      name text COLLATE "C" PRIMARY KEY,
      level double precision NOT NULL,
      granted int NOT NULL,
      at timestamptz NOT NULL
    ) WITH (fillfactor = 50);

    CREATE UNLOGGED TABLE gate (
      name text COLLATE "C" PRIMARY KEY,
      ticket text NOT NULL,
      until timestamptz NOT NULL
    ) WITH (fillfactor = 50);

    CREATE TABLE open_stream (
      id text COLLATE "C" PRIMARY KEY,
      owner_id text COLLATE "C" NOT NULL,
      key_id text COLLATE "C" NOT NULL,
      process_id text COLLATE "C" NOT NULL,
      opened_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE INDEX open_stream_of_owner ON open_stream (owner_id);
  `
}
