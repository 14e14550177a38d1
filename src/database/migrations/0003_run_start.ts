/** A run keeps its first snapshot; what is stored with each append is what has changed since. */
import type { Migration } from "./Migration.ts"

export const runStart: Migration = {
  id: 3,
  name: "run_start",
  // external: the wide texts that never change move out of the row once, so that an append rewrites a narrow row in
  // its page, uncompressed. With whole snapshots in the row, compressing them is most of what an append costs.
  sql: () => `
    alter table run add column start text;
    alter table run alter column start set storage external, alter column plan set storage external;
  `
}
