/** Secrets that plugfest generates at the first start on a machine. */
import { randomUUID } from "node:crypto"
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/**
 * The text of the file (mode 0600); if it does not exist it is created, with its folder. Of several first starts at once,
 * one creates the file and all read it.
 */
export async function fileMadeOnce(folder: string, file: string, make: () => string): Promise<string> {
  // Others may pass through the folder but not list it: the embedded Postgres lives below, under another account.
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const present = await readFile(file, "utf8").catch(absent)
  if (present !== undefined) return present
  const making = `${file}.${randomUUID()}`
  try {
    await writeFile(making, make(), { mode: 0o600, flush: true })
    await link(making, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  } finally {
    await rm(making, { force: true })
  }
  return readFile(file, "utf8")
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error
}

/** The same for a secret in DATA_DIR. */
export async function secretOfDataDir(dataDir: string, name: string, make: () => string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  await keepOutOfGit(dataDir, ["/.gitignore", "/encryption-keys", "/signing-keys", "/postgres/"])
  return fileMadeOnce(dataDir, join(dataDir, name), make)
}

/** Name of the file by which a folder keeps its files out of a repository. */
export const gitignore = ".gitignore"

/**
 * Keeps files out of a repository in which the folder may lie, as the default DATA_DIR does: `git add .` would take keys and tokens. A file
 * that is there stays as it is.
 */
export async function keepOutOfGit(folder: string, patterns: ReadonlyArray<string>): Promise<void> {
  await writeFile(join(folder, gitignore), `${patterns.join("\n")}\n`, { flag: "wx", mode: 0o600 }).catch(
    () => {}
  )
}
