import type { Migration } from "../Migration.ts"

/** Tables that all processes share: living processes, rate-limit buckets, open streams, and locks (`gate`). */
export const sharedLimits: Migration = {
  id: 5,
  name: "shared_limits",
  // unlogged: buckets and locks change at every step and are worthless after a crash of Postgres, when each bucket may be
  // full and each lock free. No fsync is waited for.
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
