/** When partners were turned away by a fault of ours. */
import type { Migration } from "./Migration.ts"

export const refusedCall: Migration = {
  id: 11,
  name: "refused_call",
  sql: () => "CREATE TABLE refused_call (at timestamptz PRIMARY KEY);"
}
