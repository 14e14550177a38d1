/** The files of the built console, in memory: only what was in its folder when it was read can be asked for. */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { extname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { Encoding } from "../answer/compression.ts"

/** A file as it is sent. */
export interface ConsoleFile {
  /** Content-Type. */
  readonly type: string
  /** Of its content, without quotation marks. */
  readonly tag: string
  readonly plain: Uint8Array
  /** Its compressed forms, which the build has written beside it. */
  readonly compressed: ReadonlyMap<Encoding, Uint8Array>
}

/** Path below the folder, with `/`, e.g. `assets/index-3f2a.js` → its file. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

/** `dist/console`: beside the bundle, or in `dist` when the service runs from its sources. */
export const builtConsole = (): string => {
  const beside = fileURLToPath(new URL("./console", import.meta.url))
  return existsSync(fileURLToPath(new URL("./plugfest.js", import.meta.url)))
    ? beside
    : fileURLToPath(new URL("../../../dist/console", import.meta.url))
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2"
}
const endings: ReadonlyArray<readonly [ending: string, encoding: Encoding]> = [
  [".br", "br"],
  [".gz", "gzip"]
]

/** Reads the folder; without one, or without an `index.html`, there are no files. */
export const readConsole = (folder: string): Effect.Effect<ConsoleFiles> =>
  Effect.promise(async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    // No links: they may lead elsewhere.
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const bytes = new Map(
      await Promise.all(
        paths.map(
          async (path) => [relative(folder, path).split(sep).join("/"), await readFile(path)] as const
        )
      )
    )
    const files = new Map<string, ConsoleFile>()
    if (!bytes.has("index.html")) return files
    for (const [name, plain] of bytes) {
      if (endings.some(([ending]) => name.endsWith(ending) && bytes.has(name.slice(0, -ending.length))))
        continue
      const compressed = endings.flatMap(([ending, encoding]) => {
        const form = bytes.get(name + ending)
        return form === undefined ? [] : [[encoding, form] as const]
      })
      files.set(name, {
        type: types[extname(name)] ?? "application/octet-stream",
        tag: createHash("sha256").update(plain).digest("base64url").slice(0, 22),
        plain,
        compressed: new Map(compressed)
      })
    }
    return files
  })
