import type { Migration } from "./Migration.ts"

/**
 * A run that a process works on points at the row of that process instead of carrying a lease that is renewed: its `lease_until`
 * is the last day of 9999, and it is held for as long as the row of `lease_owner` in `server_process` says that the process is
 * alive. Processes of an earlier release see a lease that has not run out, and go on with leases of their own.
 */
export const runHolder: Migration = {
  id: 22,
  name: "run_holder",
  // server_process.id has the collation "C", lease_owner has not.
  sql: () => `
    CREATE INDEX run_of_holder ON run (lease_owner COLLATE "C")
      WHERE NOT closed AND lease_until = timestamptz '9999-12-31 00:00:00+00'
  `
}
