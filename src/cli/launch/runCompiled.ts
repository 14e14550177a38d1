/**
 * Runs a bundle from its compiled code, which V8 takes only from the same version, processor and flags. Without it the bundle is
 * compiled, and the process keeps the compiled code at its end for the next one, if it may write beside the bundle.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { cachedDataVersionTag } from "node:v8"
import { constants, Script } from "node:vm"

/**
 * Runs `<name>.cjs` beside the module at `entry` (a URL): the text of a function of `require` and its own URL. `text`: a hash of
 * it; V8 itself compares nothing but the length.
 */
export function runCompiled(name: string, text: string, entry: string): void {
  const url = new URL(`./${name}.cjs`, entry)
  const file = fileURLToPath(url)
  const tag = [name, text, process.version, process.arch, cachedDataVersionTag().toString(16)].join("-")
  const kept = join(dirname(file), "compiled", tag)
  const cachedData = readIfThere(kept)
  // The bundler writes ASCII but in regular expressions.
  const script = new Script(readFileSync(file, "utf8"), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData })
  })
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.once("exit", () => keep(kept, script.createCachedData()))
  script.runInThisContext()(createRequire(url), url.href)
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** Of several processes that write at once, the last one's is kept; a reader never sees a part. */
function keep(file: string, compiled: Buffer): void {
  const making = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    try {
      writeFileSync(making, compiled)
      renameSync(making, file)
    } finally {
      rmSync(making, { force: true })
    }
  } catch {} // it may not be written there: the next start compiles again
}
