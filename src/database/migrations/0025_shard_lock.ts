import type { Migration } from "./Migration.ts"

/**
 * Which process holds which shard of the runs. A lock is valid for as long as the row of its process says that it is alive, so a
 * process at rest writes nothing here. A process without `url` takes no shards: it is of an earlier release or a command, does not
 * serve yet, or is about to end.
 */
export const shardLock: Migration = {
  id: 25,
  name: "shard_lock",
  sql: (role) => `
    ALTER TABLE server_process ADD COLUMN url text;
    CREATE TABLE shard_lock (
      shard text COLLATE "C" PRIMARY KEY,
      process_id text COLLATE "C" NOT NULL
    );
    CREATE INDEX shard_lock_of_process ON shard_lock (process_id);
    GRANT SELECT, INSERT, UPDATE, DELETE ON shard_lock TO ${role}
  `
}
