/** Makes a backup: keys and database in one folder, as one snapshot, while the service runs. */
import { Effect, Layer, Redacted, type Scope } from "effect"
import type pg from "pg"
import { type Access, configOf } from "../../database/access.ts"
import { type BackupManifest, type BackupTable, backupFormat } from "../../database/backup/BackupManifest.ts"
import { BackupRefused } from "../../database/backup/BackupRefused.ts"
import {
  beginBackup,
  dropBackup,
  finishBackup,
  keyFiles,
  writeInto
} from "../../database/backup/backupFolder.ts"
import { monthlyPartitions, schemaTables } from "../../database/backup/backupTables.ts"
import { copySettings, exportTable, readSequences, tableOf } from "../../database/backup/copyTables.ts"
import type { EmbeddedPostgresFailed } from "../../database/embedded/EmbeddedPostgres.ts"
import { standingOf } from "../../database/logins/logins.ts"
import { appliedIds, migrationLock, ownClient } from "../../database/migrate.ts"
import { monthlyPartitions as divides } from "../../database/migrations/0023_monthly_partitions.ts"
import { migrations } from "../../database/migrations/all.ts"
import { statementsOn } from "../../database/statement.ts"
import { verifyEveryRun } from "../../ledger/run/verifyEveryRun.ts"
import { type KeySettings, keyTexts } from "../../store/secrets/keyTexts.ts"
import { SecretBox } from "../../store/secrets/SecretBox.ts"
import { SigningKeys } from "../../store/secrets/SigningKeys.ts"
import { unreadableSecrets } from "../../store/unreadableSecrets.ts"
import { traced } from "../../telemetry/traced.ts"
import { inDatabase, type OnStep } from "./inDatabase.ts"

/** The backup that was made. */
interface MadeBackup {
  readonly folder: string
  readonly manifest: BackupManifest
  /** What is said of each secret that the keys do not decrypt. */
  readonly unreadable: ReadonlyArray<string>
  /** Tables of the database that no migration of plugfest has made: they are not in the backup. */
  readonly leftOut: ReadonlyArray<string>
}

/**
 * Copies the database as one transaction sees it, with the keys unless `withKeys` is false, into a folder that does not exist
 * yet. The database is only read: not even a migration runs. A backup that fails or is interrupted leaves no folder.
 */
export const backUp = traced("backUp")(function* (
  opened: Effect.Effect<Access, EmbeddedPostgresFailed, Scope.Scope>,
  keys: KeySettings,
  order: {
    readonly folder: string
    readonly withKeys: boolean
    /** Where archived runs are, as a text; undefined: it is not set. */
    readonly archivePlace?: string | undefined
    readonly onStep: OnStep
  }
) {
  const texts = yield* keyTexts(keys)
  const decoded = yield* Layer.build(
    Layer.merge(
      SecretBox.layer({ keys: texts["encryption-keys"], dataDir: keys.dataDir }),
      SigningKeys.layer({ keys: texts["signing-keys"], dataDir: keys.dataDir })
    )
  )
  const access = yield* opened
  // A login that only serves does not exist before the first start.
  const url = access.ours && access.adminUrl !== undefined ? access.adminUrl : access.url
  const attempt = inDatabase(url)
  const client = yield* ownClient(configOf(url)).pipe(attempt.mapError)
  const leftOut = yield* attempt((signal) => openSnapshot(client, signal))
  const backup = yield* Effect.acquireRelease(
    attempt(() => beginBackup(order.folder)),
    (unfinished) => Effect.promise(() => dropBackup(unfinished)) // renamed when it is whole: then nothing is there
  )
  const found = yield* attempt(() => readSnapshot(client))
  const tables = yield* Effect.forEach(found.tables, (table, index) =>
    Effect.zipRight(
      order.onStep(`${index + 1} of ${found.tables.length} tables: ${table.name}`),
      Effect.map(
        attempt((signal) => exportTable(client, table, backup, signal)),
        (rows): BackupTable => ({ ...table, rows })
      )
    )
  )
  const sequences = yield* attempt(() => readSequences(client))
  yield* order.onStep("verifying the lines of every run")
  const { archived, ...runs } = yield* attempt((signal) => verifyEveryRun(client, signal))
  const unreadable = yield* unreadableSecrets(statementsOn(client), (table, columns) =>
    columns.every((one) => tables.find(({ name }) => name === table)?.columns.includes(one) === true)
  ).pipe(Effect.provide(decoded))
  const manifest: BackupManifest = {
    format: backupFormat,
    ...found,
    tables,
    sequences,
    ...runs,
    archive: { ...archived, place: order.archivePlace ?? null },
    keys: order.withKeys,
    unreadableSecrets: unreadable.length
  }
  yield* attempt(async () => {
    if (order.withKeys)
      for (const file of keyFiles) await writeInto(backup, file, `${Redacted.value(texts[file])}\n`)
    await finishBackup(backup, manifest)
  })
  return { folder: backup.target, manifest, unreadable, leftOut } satisfies MadeBackup
})

/** Opens the transaction, and keeps the schema as it is until the transaction ends. Returns the tables that are not ours. */
async function openSnapshot(client: pg.Client, signal: AbortSignal): Promise<ReadonlyArray<string>> {
  await client.query("SET statement_timeout = 0") // of the server or the role
  // Nobody migrates between the snapshot and the lock on the tables; whoever starts meanwhile waits for no longer than that.
  await client.query(`SELECT pg_advisory_lock_shared(${migrationLock})`)
  const applied = await appliedIds(client)
  if (applied.size === 0)
    throw new BackupRefused({
      message: "The database has no tables of plugfest: there is nothing to back up"
    })
  if ([...applied].some((id) => migrations.every((known) => known.id !== id)))
    throw new BackupRefused({
      message: "A newer version of plugfest has migrated this database: make the backup with that version"
    })
  const { role } = await standingOf(client)
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  if (role !== null) await client.query(`SET LOCAL ROLE ${role}`)
  await client.query(copySettings)
  const { others, ours } = await schemaTables(client, migrations)
  await client.query(`LOCK TABLE ${ours.map(({ name }) => tableOf(name)).join(", ")} IN ACCESS SHARE MODE`)
  await client.query(`SELECT pg_advisory_unlock_shared(${migrationLock})`)
  signal.throwIfAborted()
  return others
}

async function readSnapshot(client: pg.Client) {
  const { rows } = await client.query<{ madeAt: Date; postgres: string }>(
    `SELECT transaction_timestamp() AS "madeAt", current_setting('server_version') AS postgres`
  )
  const { madeAt, postgres } = rows[0]!
  const applied = [...(await appliedIds(client))].sort((one, other) => one - other)
  return {
    madeAt: madeAt.toISOString(),
    postgres,
    migrations: applied as [number, ...Array<number>], // refused when there are none
    tables: (await schemaTables(client, migrations)).ours,
    ...(applied.includes(divides.id) ? { partitions: await monthlyPartitions(client) } : {})
  }
}
