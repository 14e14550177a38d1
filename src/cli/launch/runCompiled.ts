/**
 * Runs a bundle from its compiled code, which V8 takes only from the same version, processor and flags. Without it the bundle is
 * compiled, and the process keeps the compiled code at its end for the next one, if it may write beside the bundle. A process
 * that stays keeps code of its own after its start, with all functions that a start of that command runs.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { cachedDataVersionTag } from "node:v8"
import { constants, Script } from "node:vm"
import { afterStart, asAtStart } from "./engine.ts"

/** The text of a function of `require` and its own URL. */
interface Bundle {
  /** Of the file `<name>.cjs` beside `entry`. */
  readonly name: string
  /** A hash of the text; V8 itself compares nothing but the length. */
  readonly text: string
  /** URL of the module that starts it. */
  readonly entry: string
}

/** From the start's end, in milliseconds: its first requests are over, and V8 has not yet dropped what only a start runs. */
const settlingMillis = 1000

/** `staying`: the command, if it is one that starts and stays. */
export function runCompiled({ entry, name, text }: Bundle, staying: string | undefined): void {
  const url = new URL(`./${name}.cjs`, entry)
  const file = fileURLToPath(url)
  const version = [text, process.version, process.arch, cachedDataVersionTag().toString(16)].join("-")
  const kept = (what: string) => join(dirname(file), "compiled", `${what}-${version}`)
  const ofStart = staying === undefined ? undefined : kept(`${name}-${staying}`)
  const compiledStart = ofStart === undefined ? undefined : readIfThere(ofStart)
  const cachedData = compiledStart ?? readIfThere(kept(name))
  // The build sees to it that it is ASCII.
  const script = new Script(readFileSync(file, "latin1"), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData })
  })
  // Compiled code has the flags of the moment in which it is made, and is taken by a process with those of a start.
  const keepAs = (path: string) => asAtStart(() => keep(path, () => script.createCachedData()))
  const isRejected = cachedData === undefined || script.cachedDataRejected === true
  const keepAtEnd = () => keepAs(kept(name))
  if (isRejected) process.once("exit", keepAtEnd)
  if (ofStart !== undefined && (isRejected || compiledStart === undefined))
    afterStart(() => {
      process.off("exit", keepAtEnd)
      setTimeout(() => keepAs(ofStart), settlingMillis).unref()
    })
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
function keep(file: string, compile: () => Buffer): void {
  const making = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    try {
      writeFileSync(making, "") // before the work that would be in vain
      writeFileSync(making, compile())
      renameSync(making, file)
    } finally {
      rmSync(making, { force: true })
    }
  } catch {} // it may not be written there: the next start compiles again
}
