// The diagnostics of @effect/language-service, as its own command gives them, from one program for all files: that
// command builds the program anew for every fifty. Fails on errors; warnings are shown.
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
const ts = require("typescript")
const plugin = require("@effect/language-service")

const here = dirname(fileURLToPath(import.meta.url))
const host = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
    throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"))
  }
}
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(
  join(here, "effect.tsconfig.json"),
  {},
  host
)
const program = ts.createProgram(fileNames, options)
const { getSemanticDiagnostics } = plugin({ typescript: ts }).create({
  // The compiler's own diagnostics are those of the type check.
  languageService: { getProgram: () => program, getSemanticDiagnostics: () => [] },
  project: { log: () => {} },
  config: options.plugins.find(({ name }) => name === "@effect/language-service")
})

const { Error: error, Warning: warning } = ts.DiagnosticCategory
const found = fileNames
  .flatMap((fileName) => getSemanticDiagnostics(fileName))
  .filter(({ category }) => category === error || category === warning)
const errors = found.filter(({ category }) => category === error).length

process.stdout.write(
  ts.formatDiagnosticsWithColorAndContext(found, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => join(here, ".."),
    getNewLine: () => "\n"
  })
)
process.stdout.write(`${errors} errors and ${found.length - errors} warnings in ${fileNames.length} files\n`)
process.exit(errors === 0 && fileNames.length > 0 ? 0 : 1)
