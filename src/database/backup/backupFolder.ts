/**
 * The folder of a backup: `manifest.json`, `tables/`, the keys, and `SHA256SUMS` over all of them, in the form that the
 * program sha256sum checks. It is written beside its place and renamed when it is whole.
 */
import { createHash, randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { lstat, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { pipeline } from "node:stream/promises"
import { Either, Schema } from "effect"
import { keepOutOfGit } from "../embedded/fileMadeOnce.ts"
import { BackupManifest, backupFormat } from "./BackupManifest.ts"
import { BackupRefused } from "./BackupRefused.ts"

/** A folder that is being written. */
export interface UnfinishedBackup {
  /** Where the files are written. */
  readonly folder: string
  /** Where the folder will be. */
  readonly target: string
  /** SHA-256 of each file by its path in the folder. */
  readonly sums: Map<string, string>
}

/** A folder whose files are all as they were written. */
export interface CheckedBackup {
  readonly folder: string
  readonly manifest: BackupManifest
  /** SHA-256 of each file by its path in the folder. */
  readonly sums: ReadonlyMap<string, string>
}

/** The files of the keys, as they are also named in DATA_DIR. */
export const keyFiles = ["encryption-keys", "signing-keys"] as const

/** The path of a table's file in the folder. */
export const tableFile = (name: string): string => `tables/${name}.copy.gz`

/** Makes the folder in which a backup is written; refused when something stands at its place. */
export async function beginBackup(path: string): Promise<UnfinishedBackup> {
  const target = resolve(path)
  if (await exists(target))
    throw new BackupRefused({ message: `${target} exists; give a folder that does not exist yet` })
  const folder = `${target}.partial-${randomUUID().slice(0, 8)}`
  await mkdir(join(folder, "tables"), { recursive: true, mode: 0o700 })
  await keepOutOfGit(folder, ["*"])
  return { folder, target, sums: new Map() }
}

/** Writes a small file of the folder (mode 0600). */
export async function writeInto(backup: UnfinishedBackup, name: string, text: string): Promise<void> {
  await writeFile(join(backup.folder, name), text, { mode: 0o600, flag: "wx", flush: true })
  backup.sums.set(name, createHash("sha256").update(text).digest("hex"))
}

/** Writes manifest and sums, waits for the disk, and gives the folder its name. */
export async function finishBackup(backup: UnfinishedBackup, manifest: BackupManifest): Promise<void> {
  await writeInto(backup, manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
  const sums = [...backup.sums].sort().map(([name, sum]) => `${sum}  ${name}\n`)
  await writeFile(join(backup.folder, sumsFile), sums.join(""), { mode: 0o600, flag: "wx", flush: true })
  await flushFolder(join(backup.folder, "tables"))
  await flushFolder(backup.folder)
  await rename(backup.folder, backup.target)
  await flushFolder(dirname(backup.target))
}

/** Removes what was written of a backup that does not become whole. */
export const dropBackup = ({ folder }: UnfinishedBackup): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 3 })

/** Reads every file of the folder, and refuses a backup that is unfinished, damaged, or of another format. */
export async function checkBackup(path: string, signal: AbortSignal): Promise<CheckedBackup> {
  const folder = resolve(path)
  if (!(await exists(folder))) throw new BackupRefused({ message: `There is no folder ${folder}` })
  const sums = sumsIn(
    await readFile(join(folder, sumsFile), "utf8").catch(() => {
      throw new BackupRefused({
        message: `${folder} is no backup, or one that was not finished: it has no ${sumsFile}`
      })
    })
  )
  for (const [name, sum] of sums) {
    const found = await sumOf(join(folder, name), signal)
    if (found === undefined) throw damaged(`${name} cannot be read`)
    if (found !== sum) throw damaged(`${name} is not as it was written: its SHA-256 is another one`)
  }
  if (!sums.has(manifestFile)) throw damaged(`${sumsFile} does not name ${manifestFile}`)
  const manifest = manifestIn(await readFile(join(folder, manifestFile), "utf8"))
  const needed = [...manifest.tables.map(({ name }) => tableFile(name)), ...(manifest.keys ? keyFiles : [])]
  const missing = needed.find((name) => !sums.has(name))
  if (missing !== undefined) throw damaged(`${sumsFile} does not name ${missing}`)
  return { folder, manifest, sums }
}

/** The refusal of a backup that is not as it was written. */
export const damaged = (what: string): BackupRefused =>
  new BackupRefused({ message: `The backup is damaged: ${what}. Nothing was restored` })

const manifestFile = "manifest.json"
const sumsFile = "SHA256SUMS"

function sumsIn(text: string): ReadonlyMap<string, string> {
  // A path leads nowhere but into the folder.
  const line =
    /^([0-9a-f]{64}) {2}(manifest\.json|encryption-keys|signing-keys|tables\/[a-z0-9_]+\.copy\.gz)$/
  const lines = text.split("\n")
  if (lines.pop() !== "") throw damaged(`the end of ${sumsFile} is missing`)
  return new Map(
    lines.map((one) => {
      const [, sum, name] = line.exec(one) ?? []
      if (sum === undefined || name === undefined) throw damaged(`${sumsFile} has a line of another form`)
      return [name, sum]
    })
  )
}

function manifestIn(text: string): BackupManifest {
  return Either.getOrThrowWith(
    Schema.decodeUnknownEither(Schema.parseJson(BackupManifest))(text),
    () => new BackupRefused({ message: `${manifestFile} is not one of ${backupFormat}: upgrade plugfest` })
  )
}

async function sumOf(file: string, signal: AbortSignal): Promise<string | undefined> {
  const sum = createHash("sha256")
  try {
    if (!(await lstat(file)).isFile()) return undefined
    await pipeline(createReadStream(file), sum, { signal })
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
  return sum.digest("hex")
}

async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return // folders cannot be opened there
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false
  )
}
