import type { Migration } from "../Migration.ts"

/** When we last refused a partner's call by a fault of our own. */
export const refusedCall: Migration = {
  id: 11,
  name: "refused_call",
  sql: () => "CREATE TABLE refused_call (at timestamptz PRIMARY KEY);"
}
