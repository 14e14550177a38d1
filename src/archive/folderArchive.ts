/** An archive in a folder, e.g. on a disk of its own or a mounted share. */
import { randomUUID } from "node:crypto"
import { mkdir, open, rename, rm, rmdir, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect, Option } from "effect"
import { ArchiveAway, type ArchiveStore, named } from "./ArchiveStore.ts"

/**
 * The adapter for an absolute path. The folder must be there: it is never made, because it may be one of a share that is not mounted
 * now. What is made in it has the modes 0700 and 0600.
 */
export const folderArchive = (folder: string): ArchiveStore["Type"] => {
  const attempt = <A>(name: string, what: string, work: (path: string) => Promise<A>) =>
    Effect.zipRight(
      named(name),
      Effect.tryPromise({
        try: () => work(join(folder, name)),
        catch: (cause) =>
          new ArchiveAway({
            message: `The archive ${folder} cannot be ${what} now (${codeOf(cause)})`,
            cause
          })
      })
    )
  return {
    place: folder,
    // Written beside its place and renamed: a name is never that of half an object, whenever the machine stops.
    put: (name, object) =>
      attempt(name, "written", async (path) => {
        await mkdir(dirname(path), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error
        })
        const unfinished = `${path}.${randomUUID()}.partial`
        try {
          await writeWhole(unfinished, object)
          await rename(unfinished, path)
        } catch (error) {
          await rm(unfinished, { force: true }).catch(() => {})
          throw error
        }
        await flushFolder(dirname(path))
        await flushFolder(folder)
      }),
    get: (name, mostBytes) => attempt(name, "read", (path) => readAtMost(folder, path, mostBytes)),
    remove: (name) =>
      attempt(name, "written", async (path) => {
        await rm(path, { force: true })
        // Fails while there is another object of the run.
        await rmdir(dirname(path)).catch(() => {})
      })
  }
}

async function writeWhole(path: string, object: Buffer): Promise<void> {
  const file = await open(path, "wx", 0o600)
  try {
    await file.writeFile(object)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function readAtMost(folder: string, path: string, mostBytes: number): Promise<Option.Option<Buffer>> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
  })
  if (file === undefined) {
    // Where the folder itself is missing, as a share that is not mounted, nothing is known of its objects.
    await stat(folder)
    return Option.none()
  }
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(size, mostBytes + 1))
    let read = 0
    while (read < buffer.length) {
      const { bytesRead } = await file.read(buffer, read, buffer.length - read, read)
      if (bytesRead === 0) break
      read += bytesRead
    }
    return Option.some(buffer.subarray(0, read))
  } finally {
    await file.close()
  }
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

const codeOf = (cause: unknown): string => {
  const { code, message } = cause as NodeJS.ErrnoException
  return code === "ENOENT" ? "ENOENT: the folder is not there" : (code ?? message)
}
