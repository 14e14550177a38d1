/**
 * The entry of the bundle. Node 22.8 and later keep the compiled code beside it, where they may write, and the next start
 * need not compile it again.
 */
import nodeModule from "node:module"
import { fileURLToPath } from "node:url"

/** What Node 20 lacks, and the types of it. */
interface CompileCache {
  readonly enableCompileCache?: (directory: string) => unknown
}
const { enableCompileCache } = nodeModule as CompileCache

enableCompileCache?.(fileURLToPath(new URL("./compiled", import.meta.url)))
await import("./plugfest.ts")
