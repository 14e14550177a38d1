import type { Migration } from "../Migration.ts"

/** A run keeps its first snapshot; with each append only the changes since then are stored. */
export const runStart: Migration = {
  id: 3,
  name: "run_start",
  // external: the wide texts that never change leave the row once, so an append rewrites a narrow row in its page,
  // uncompressed. With whole snapshots in the row, compressing them was most of an append's cost.
  sql: () => `
    alter table run add column start text;
    alter table run alter column start set storage external, alter column plan set storage external;
  `
}
