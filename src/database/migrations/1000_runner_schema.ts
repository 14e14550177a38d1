import type { Migration } from "./Migration.ts"

/** The schema in which the processes' runners and shard locks are kept; the library that uses them makes its tables itself. */
export const runnerSchema: Migration = {
  id: 1000,
  name: "runner_schema",
  sql: (role) => `
    CREATE SCHEMA runner;
    GRANT USAGE, CREATE ON SCHEMA runner TO ${role}
  `
}
