/** Restores a backup into an empty database and an empty DATA_DIR: all of it, or nothing. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Effect, Layer, Redacted, type Scope } from "effect"
import type pg from "pg"
import type { ArchiveStore } from "../../archive/ArchiveStore.ts"
import { type Access, configOf, openDatabase } from "../../database/access.ts"
import type { BackupManifest } from "../../database/backup/BackupManifest.ts"
import { BackupRefused } from "../../database/backup/BackupRefused.ts"
import { type CheckedBackup, checkBackup, keyFiles } from "../../database/backup/backupFolder.ts"
import { makePartitions, schemaTables } from "../../database/backup/backupTables.ts"
import { copySettings, importTable, setSequences, tableOf } from "../../database/backup/copyTables.ts"
import type { EmbeddedPostgresFailed } from "../../database/embedded/EmbeddedPostgres.ts"
import { gitignore } from "../../database/embedded/fileMadeOnce.ts"
import { refuseSuperuser, type TableUser, tableUserOf } from "../../database/logins/logins.ts"
import { applyOne, migrationLock, ownClient, prepareSchema } from "../../database/migrate.ts"
import { migrations } from "../../database/migrations/all.ts"
import { statementsOn } from "../../database/statement.ts"
import { type ArchiveLookedAt, lookAtArchive } from "../../ledger/archive/lookAtArchive.ts"
import { type VerifiedRuns, verifyEveryRun } from "../../ledger/run/verifyEveryRun.ts"
import type { KeySettings } from "../../store/secrets/keyTexts.ts"
import { SecretBox } from "../../store/secrets/SecretBox.ts"
import { SigningKeys } from "../../store/secrets/SigningKeys.ts"
import { unreadableSecrets } from "../../store/unreadableSecrets.ts"
import { traced } from "../../telemetry/traced.ts"
import { inDatabase, type OnStep } from "./inDatabase.ts"

/** What was restored. */
interface Restored {
  readonly manifest: BackupManifest
  readonly runs: VerifiedRuns
  /** What is said of each secret that the keys do not decrypt. */
  readonly unreadable: ReadonlyArray<string>
  /** The directory that the keys were written to; undefined: the settings have them. */
  readonly keysIn: string | undefined
  /** Archived runs that were read where they are, and what is said of those that cannot be; undefined: no archive is set. */
  readonly archive: ArchiveLookedAt | undefined
}

/**
 * Checks the backup before anything is written, then fills the database in one transaction: schema as of the backup, rows,
 * head hashes. The migrations since then run afterwards. What fails or is interrupted leaves database and DATA_DIR empty.
 */
export const restore = traced("restore")(function* (
  folder: string,
  opened: Effect.Effect<Access, EmbeddedPostgresFailed, Scope.Scope>,
  settings: KeySettings & {
    readonly embedded: boolean
    readonly archive?: ArchiveStore["Type"]
    readonly onStep: OnStep
  }
) {
  yield* settings.onStep("checking every file")
  const backup = yield* readBackup(folder)
  const keys = yield* keysFor(backup, settings)
  const decoded = yield* Layer.build(
    Layer.merge(
      SecretBox.layer({ keys: keys["encryption-keys"], dataDir: settings.dataDir }),
      SigningKeys.layer({ keys: keys["signing-keys"], dataDir: settings.dataDir })
    )
  )
  const written = keyFiles.filter((file) => settings[settingOf[file]] === undefined)
  const place = settings.embedded || written.length > 0 ? yield* emptyDataDir(settings.dataDir) : undefined
  const access = yield* opened
  const attempt = inDatabase(access.url)
  const client = yield* ownClient(configOf(access.adminUrl ?? access.url)).pipe(attempt.mapError)
  const user = yield* attempt(() => takeEmptyDatabase(client, access))
  yield* attempt(() => writeKeys(settings.dataDir, written, keys))
  yield* attempt(() => makeSchema(client, backup.manifest, user))
  const { sequences, tables } = backup.manifest
  yield* Effect.forEach(tables, (table, index) =>
    Effect.zipRight(
      settings.onStep(`${index + 1} of ${tables.length} tables: ${table.name}`),
      attempt((signal) => importTable(client, table, backup, signal))
    )
  )
  yield* attempt(() => setSequences(client, sequences))
  yield* settings.onStep("verifying the lines of every run")
  yield* attempt(() => client.query(`ANALYZE ${tables.map(({ name }) => tableOf(name)).join(", ")}`))
  const runs = yield* attempt((signal) => verifyEveryRun(client, signal))
  yield* sameRuns(backup.manifest, runs)
  const unreadable = yield* unreadableSecrets(statementsOn(client), (table, columns) =>
    columns.every((one) => tables.find(({ name }) => name === table)?.columns.includes(one) === true)
  ).pipe(Effect.provide(decoded))
  if (place !== undefined) place.isKept = true
  yield* attempt(() => client.query("COMMIT"))
  yield* attempt(() => client.query(`SELECT pg_advisory_unlock(${migrationLock})`))
  yield* openDatabase(access, Effect.void)
  const { archive } = settings
  if (runs.archived.runs > 0) yield* settings.onStep("verifying archived runs")
  const looked =
    archive?.place === undefined || runs.archived.runs === 0
      ? undefined
      : yield* lookAtArchive(archive, (text, values) => attempt(() => client.query(text, values)))
  return {
    manifest: backup.manifest,
    runs,
    unreadable,
    archive: looked,
    keysIn: written.length > 0 ? resolve(settings.dataDir) : undefined
  } satisfies Restored
})

type KeyFile = (typeof keyFiles)[number]
type Keys = Readonly<Record<KeyFile, Redacted.Redacted<string>>>

const settingOf = {
  "encryption-keys": "encryptionKeys",
  "signing-keys": "signingKeys"
} as const satisfies Record<KeyFile, keyof KeySettings>

const refused = (message: string) => new BackupRefused({ message })

/** Every file is as it was written, and this version knows the schema. */
const readBackup = Effect.fnUntraced(function* (folder: string) {
  const backup = yield* Effect.tryPromise({
    try: (signal) => checkBackup(folder, signal),
    catch: (cause) => (cause instanceof BackupRefused ? cause : refused((cause as Error).message))
  })
  const unknown = backup.manifest.migrations.find((id) => migrations.every((known) => known.id !== id))
  if (unknown !== undefined)
    return yield* refused(
      `The backup was made by a newer version of plugfest (migration ${unknown}): restore it with that version`
    )
  return backup
})

/** The keys by their files: those of the settings, else those of the backup. */
const keysFor = Effect.fnUntraced(function* (backup: CheckedBackup, settings: KeySettings) {
  const textOf = (file: KeyFile) => {
    const set = settings[settingOf[file]]
    if (set !== undefined) return Effect.succeed(set)
    if (!backup.manifest.keys)
      return refused("The backup holds no keys: give ENCRYPTION_KEYS and SIGNING_KEYS of the service")
    return Effect.tryPromise({
      try: async () => Redacted.make((await readFile(join(backup.folder, file), "utf8")).trim()),
      catch: (error) => refused((error as Error).message)
    })
  }
  return {
    "encryption-keys": yield* textOf("encryption-keys"),
    "signing-keys": yield* textOf("signing-keys")
  } satisfies Keys
})

/** Refuses a directory with anything in it, and empties it again with the scope, unless it is to be kept. */
const emptyDataDir = (dataDir: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const found = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error
          return undefined
        })
        if (found?.some((name) => name !== gitignore))
          throw refused(`${resolve(dataDir)} is not empty: give an empty directory as DATA_DIR (--data-dir)`)
        return { existed: found !== undefined, isKept: false }
      },
      catch: (cause) => (cause instanceof BackupRefused ? cause : refused((cause as Error).message))
    }),
    ({ existed, isKept }) =>
      Effect.promise(async () => {
        if (isKept) return
        const inside = existed ? await readdir(dataDir) : [""]
        for (const name of inside) await rm(join(dataDir, name), { recursive: true, force: true })
      })
  )

/** Takes the lock of migrations on an empty database. Returns the user that gets rights on its tables. */
async function takeEmptyDatabase(client: pg.Client, access: Access): Promise<TableUser> {
  await client.query("SET statement_timeout = 0") // of the server or the role
  if (access.adminUrl === undefined && !access.allowSuperuser)
    await refuseSuperuser(client).catch((error: Error) => {
      throw refused(error.message)
    })
  await client.query(`SELECT pg_advisory_lock(${migrationLock})`)
  const { others, ours } = await schemaTables(client, migrations)
  const tables = [...ours.map(({ name }) => name), ...others]
  if (tables.length > 0)
    throw refused(
      `The database is not empty: it has ${tables.length} tables, such as ${tables[0]}. Give an empty one`
    )
  return tableUserOf(client)
}

async function writeKeys(dataDir: string, files: ReadonlyArray<KeyFile>, keys: Keys): Promise<void> {
  if (files.length === 0) return
  await mkdir(dataDir, { recursive: true, mode: 0o711 }) // as `fileMadeOnce` makes it
  for (const file of files)
    await writeFile(join(dataDir, file), `${Redacted.value(keys[file])}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true
    })
}

/** Makes the tables and partitions as they were in the backup. Leaves the transaction open. */
async function makeSchema(client: pg.Client, manifest: BackupManifest, user: TableUser): Promise<void> {
  await client.query("BEGIN")
  await client.query(copySettings)
  await prepareSchema(client, user)
  for (const migration of migrations.filter(({ id }) => manifest.migrations.includes(id)))
    await applyOne(client, migration, user)
  const known = new Set((await schemaTables(client, migrations)).ours.map(({ name }) => name))
  const isKnown = manifest.tables.every(({ name }) => known.has(name))
  if (!isKnown || known.size !== manifest.tables.length)
    throw refused("The tables of the backup are not those of its migrations: it was made by another program")
  await makePartitions(client, manifest.partitions ?? [])
}

/** Every run is as intact as it was when the backup was made. */
const sameRuns = ({ lines, notIntact, runs }: BackupManifest, found: VerifiedRuns) => {
  const before = new Set(notIntact.map(({ runId }) => runId))
  const [broken] = found.notIntact.filter(({ runId }) => !before.has(runId))
  if (broken !== undefined)
    return refused(
      `Run ${broken.runId} was intact in the backup and is not in the database: ${broken.message}`
    )
  return found.runs === runs && found.lines === lines
    ? Effect.void
    : refused(
        `The backup has ${runs} runs with ${lines} lines, and the database has ${found.runs} with ${found.lines}`
      )
}
