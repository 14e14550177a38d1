/** Secrets that this machine makes for itself at the first start. */
import { randomUUID } from "node:crypto"
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises"

/**
 * The text of the file (mode 0600), made with its folder where it is not there. Exclusive: of several first starts at
 * once, one makes the file and all read it.
 */
export async function fileMadeOnce(folder: string, file: string, make: () => string): Promise<string> {
  // Passable and not readable: the embedded Postgres lives below, under another account.
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
