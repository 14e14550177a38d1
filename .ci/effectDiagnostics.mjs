// The diagnostics of @effect/language-service, as its own command gives them, from one program for all files: that
// command builds the program anew for every fifty. A file that imports nothing of Effect can only drop one that it was given,
// so only that is looked for in it, as in measures and tests. SAMPLE_TURN, from the commit: one of four of these two; without it
// all. Fails on errors; warnings are shown.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
const ts = require("typescript")
const plugin = require("@effect/language-service")

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, "..")
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
const settings = options.plugins.find(({ name }) => name === "@effect/language-service")

/** The diagnostics of a file, with other severities than the plugin's own. */
const diagnosticsWith = (diagnosticSeverity) =>
  plugin({ typescript: ts }).create({
    // The compiler's own diagnostics are those of the type check.
    languageService: { getProgram: () => program, getSemanticDiagnostics: () => [] },
    project: { log: () => {} },
    config: { ...settings, diagnosticSeverity }
  }).getSemanticDiagnostics

const ofAllRules = diagnosticsWith({})
const { properties: rules } = JSON.parse(
  readFileSync(require.resolve("@effect/language-service/schema.json"), "utf8")
).definitions.effectLanguageServicePluginDiagnosticSeverityDefinition
const ofDropped = diagnosticsWith({
  ...Object.fromEntries(Object.keys(rules).map((rule) => [rule, "off"])),
  floatingEffect: "error"
})

const { Error: error, Warning: warning } = ts.DiagnosticCategory
const turn = process.env.SAMPLE_TURN
const isOfService = (fileName) => !/^(bench|test)\//.test(relative(root, fileName))
const looked = fileNames.filter(
  (fileName, index) => isOfService(fileName) || turn === undefined || index % 4 === Number(turn) % 4
)
const found = looked
  .flatMap((fileName) => {
    const imports = /from "(effect|@effect\/)/.test(program.getSourceFile(fileName).text)
    return isOfService(fileName) && imports ? ofAllRules(fileName) : ofDropped(fileName)
  })
  .filter(({ category }) => category === error || category === warning)
const errors = found.filter(({ category }) => category === error).length

process.stdout.write(
  ts.formatDiagnosticsWithColorAndContext(found, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => "\n"
  })
)
process.stdout.write(
  `${errors} errors and ${found.length - errors} warnings in ${looked.length} of ${fileNames.length} files\n`
)
process.exit(errors === 0 && looked.length > 0 ? 0 : 1)
