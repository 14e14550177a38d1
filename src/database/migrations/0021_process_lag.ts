import type { Migration } from "./Migration.ts"

/** How late the event loop of a process was at most, in milliseconds, when it last said that it is alive; null of earlier releases. */
export const processLag: Migration = {
  id: 21,
  name: "process_lag",
  sql: () => "ALTER TABLE server_process ADD COLUMN lag_millis int"
}
