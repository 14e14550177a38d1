import type { Migration } from "./Migration.ts"

/** The runs of a connection, in the order in which they are listed: those of other connections of the account are not read for them. */
export const runOfConnection: Migration = {
  id: 26,
  name: "run_of_connection",
  // An append changes none of these columns, so it leaves the index as it is. It waits while the index is made, for 50,000 runs a tenth
  // of a second.
  sql: () => "CREATE INDEX run_of_connection ON run (owner_id, connection_id, run_id DESC)"
}
