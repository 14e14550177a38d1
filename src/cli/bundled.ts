/**
 * The entry of the bundle. From Node 22.8 on the compiled code is cached in a directory beside the bundle, if that can be
 * written, so that the next start is faster.
 */
import nodeModule from "node:module"
import { fileURLToPath } from "node:url"

/** Added in Node 22.8; the types of Node 20 lack it. */
interface CompileCache {
  readonly enableCompileCache?: (directory: string) => unknown
}
const { enableCompileCache } = nodeModule as CompileCache

enableCompileCache?.(fileURLToPath(new URL("./compiled", import.meta.url)))
await import("./plugfest.ts")
