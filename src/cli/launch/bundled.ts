/**
 * The entry of the build. Runs the bundle that has the called command: `service` has all of them, `client` those that call a
 * running service, so that they read less code.
 */
import { setEngine } from "./engine.ts"
import { runCompiled } from "./runCompiled.ts"
import { hideSecretFlags } from "./secretFlags.ts"
import { nameSourcesInStacks } from "./stacks.ts"

// The build writes both here, as JSON.
const serviceCommands: ReadonlyArray<string> = JSON.parse(process.env["SERVICE_COMMANDS"] ?? "[]")
/** A hash of the text of each bundle. */
const texts: Readonly<Record<string, string>> = JSON.parse(process.env["BUNDLE_TEXTS"] ?? "{}")
/** Completions are made of all commands. */
const needsService = (arg: string) =>
  serviceCommands.includes(arg) || /^--(completions|wizard)(=|$)/.test(arg)

hideSecretFlags(process.argv)
// Before the bundle, because compiled code is only taken by a process with the same flags of V8.
setEngine()
const args = process.argv.slice(2)
const name = args.some(needsService) ? "service" : "client"
try {
  const staying = args[0] === "serve" ? args[0] : undefined
  runCompiled({ name, text: String(texts[name]), entry: import.meta.url }, staying)
} finally {
  // Last, because Effect looks at a stack as it is loaded.
  nameSourcesInStacks()
}
