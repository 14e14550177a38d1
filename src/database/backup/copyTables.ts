/** Copies tables into files and back, by Postgres' COPY in its text format. */
import { createHash, type Hash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import pg from "pg"
import { from as copyFrom, to as copyTo } from "pg-copy-streams"
import type { BackupManifest, BackupTable } from "./BackupManifest.ts"
import { type CheckedBackup, damaged, tableFile, type UnfinishedBackup } from "./backupFolder.ts"
import type { SchemaTable } from "./backupTables.ts"

/** Within a transaction: the forms of values in COPY's text, and no limit of a wait, whatever the server or the role has set. */
export const copySettings = `
  SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8';
  SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`

/** Writes the rows of a table into the folder, as the transaction sees them; returns their number. */
export async function exportTable(
  client: pg.ClientBase,
  { columns, name }: SchemaTable,
  backup: UnfinishedBackup,
  signal: AbortSignal
): Promise<number> {
  const rows = client.query(copyTo(`COPY (SELECT ${listOf(columns)} FROM ${tableOf(name)}) TO STDOUT`))
  const sum = createHash("sha256")
  const file = createWriteStream(join(backup.folder, tableFile(name)), {
    flags: "wx",
    mode: 0o600,
    flush: true
  })
  await pipeline(rows, createGzip(), summed(sum), file, { signal })
  backup.sums.set(tableFile(name), sum.digest("hex"))
  return rows.rowCount
}

/** Fills a table, which must be there and is emptied before; throws when the file or its rows are not those of the manifest. */
export async function importTable(
  client: pg.ClientBase,
  { columns, name, rows }: BackupTable,
  backup: CheckedBackup,
  signal: AbortSignal
): Promise<void> {
  // The migrations fill a few. The others are not touched: of some not even the owner may delete rows.
  const filled = await client.query(`SELECT FROM ${tableOf(name)} LIMIT 1`)
  if (filled.rowCount !== 0) await client.query(`DELETE FROM ${tableOf(name)}`)
  const target = client.query(copyFrom(`COPY ${tableOf(name)} (${listOf(columns)}) FROM STDIN`))
  const sum = createHash("sha256")
  const file = createReadStream(join(backup.folder, tableFile(name)))
  await pipeline(file, summed(sum), createGunzip(), target, { signal })
  if (sum.digest("hex") !== backup.sums.get(tableFile(name)))
    throw damaged(`${tableFile(name)} was changed while it was read`)
  if (target.rowCount !== rows)
    throw damaged(`${tableFile(name)} has ${target.rowCount} rows; the manifest says ${rows}`)
}

/** The last value of each sequence. Read after the tables, so that none is older than the rows. */
export async function readSequences(client: pg.ClientBase): Promise<BackupManifest["sequences"]> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    "SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename"
  )
  return rows
}

/** Lets each sequence go on after its last value. */
export async function setSequences(
  client: pg.ClientBase,
  sequences: BackupManifest["sequences"]
): Promise<void> {
  for (const { name, value } of sequences)
    if (value !== null) await client.query("SELECT setval($1::regclass, $2::bigint)", [tableOf(name), value])
}

/** The quoted name of a table or a sequence. */
export const tableOf = (name: string): string => `public.${pg.escapeIdentifier(name)}`

const listOf = (columns: ReadonlyArray<string>) => columns.map((one) => pg.escapeIdentifier(one)).join(", ")

const summed = (sum: Hash) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      sum.update(chunk)
      yield chunk
    }
  }
