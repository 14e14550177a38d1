/** Which tables a backup has, in which order they are filled again, and their monthly partitions. */
import type pg from "pg"
import { monthlyTables } from "../migrations/0023_monthly_partitions.ts"
import type { Migration } from "../migrations/Migration.ts"
import type { BackupPartition } from "./BackupManifest.ts"

/** A table of the database's schema. */
export interface SchemaTable {
  readonly name: string
  /** Without those that Postgres computes. */
  readonly columns: ReadonlyArray<string>
}

/** The tables of a database. */
interface SchemaTables {
  /** Those of plugfest, each after those that it refers to. Without unlogged ones, which any crash of Postgres empties. */
  readonly ours: ReadonlyArray<SchemaTable>
  /** Names of tables that no migration has made. */
  readonly others: ReadonlyArray<string>
}

/** Reads the catalogue. Tables of extensions are left out; partitions are read by their table. */
export async function schemaTables(
  client: pg.ClientBase,
  migrations: ReadonlyArray<Migration>
): Promise<SchemaTables> {
  const { rows } = await client.query<
    SchemaTable & { isUnlogged: boolean; refersTo: ReadonlyArray<string> }
  >(`
    SELECT relname::text AS name, relpersistence = 'u' AS "isUnlogged",
      array(SELECT attname::text FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns,
      array(SELECT DISTINCT r.relname::text FROM pg_constraint JOIN pg_class r ON r.oid = confrelid
        WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS "refersTo"
    FROM pg_class c
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
    ORDER BY relname`)
  const made = namesMade(migrations)
  const ours: Array<SchemaTable> = []
  let rest = rows.filter(({ isUnlogged, name }) => made.has(name) && !isUnlogged)
  while (rest.length > 0) {
    const waits = (one: (typeof rest)[number]) => rest.some(({ name }) => one.refersTo.includes(name))
    const ready = rest.filter((one) => !waits(one))
    if (ready.length === 0) throw new Error(`Tables refer to each other: ${rest.map(({ name }) => name)}`)
    ours.push(...ready.map(({ columns, name }) => ({ name, columns })))
    rest = rest.filter(waits)
  }
  return { ours, others: rows.map(({ name }) => name).filter((name) => !made.has(name)) }
}

/** The monthly partitions of a database that has had migration 23, without the default ones. */
export async function monthlyPartitions(client: pg.ClientBase): Promise<ReadonlyArray<BackupPartition>> {
  const { rows } = await client.query<BackupPartition>(
    'SELECT "table", name, lower, upper FROM unnest($1::text[]) "table", month_partitions("table") ORDER BY "table", upper COLLATE "C"',
    [monthlyTables]
  )
  return rows
}

/** Makes such partitions in a database that has none. */
export async function makePartitions(
  client: pg.ClientBase,
  partitions: ReadonlyArray<BackupPartition>
): Promise<void> {
  for (const { lower, name, table, upper } of partitions)
    await client.query("SELECT add_partition($1, $2, $3, $4)", [table, name, lower, upper])
}

/** The names that the migrations give to tables. */
function namesMade(migrations: ReadonlyArray<Migration>): ReadonlySet<string> {
  const made = /\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)|\bRENAME TO (\w+)/gi
  return new Set([
    "schema_migration",
    ...migrations.flatMap(({ sql }) =>
      [...sql("").matchAll(made)].map(([, one, other]) => one ?? other ?? "")
    )
  ])
}
