/** Imports, exports, validates and runs scenarios. */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { validateScenario } from "../../main.ts"
import { dryRunLines } from "../connecting/dryRunLines.ts"
import { followJourney } from "../follow/followJourney.ts"
import { recoverOption, target, targetOf, versionOption } from "../follow/journeyTarget.ts"
import type { Service } from "../service/Service.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { exitWith } from "../terminal/exitCode.ts"
import { readText } from "../terminal/readText.ts"
import { saveFile } from "../terminal/saveFile.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

const file = Args.text({ name: "file" }).pipe(Args.withDescription("a scenario file, YAML or JSON"))

/** Saves the scenario of a file in the service. */
const saved = (api: Service["api"], path: string) =>
  Effect.flatMap(readText(path), (text) =>
    api.scenarios.fromFile({ headers: {}, payload: { file: text } }).pipe(
      Effect.catchTag("HttpApiDecodeError", "Invalid", ({ message }) => {
        const said = message.replace(/^line (\d+), column (\d+): /, "$1:$2: ")
        return new UsageError({ message: plain(`${path}:${said === message ? " " : ""}${said}`) })
      })
    )
  )

const importCommand = Command.make("import", { ...serviceFlags, file }, (given) =>
  Effect.gen(function* () {
    const { api } = yield* serviceOf(given)
    const scenario = yield* saved(api, given.file)
    const terminal = yield* TerminalOutput
    yield* terminal.print(given.json ? JSON.stringify(scenario) : scenario.id)
  }).pipe(reaching)
).pipe(Command.withDescription("Save the scenario of a file in the service; prints its id"))

const exportCommand = Command.make(
  "export",
  {
    ...serviceFlags,
    id: Args.text({ name: "scenario-id" }).pipe(Args.withDescription("the id of a saved scenario")),
    out: Options.text("out").pipe(
      Options.withPseudoName("file"),
      Options.withDescription("write the file to this path"),
      Options.optional
    )
  },
  (given) =>
    Effect.gen(function* () {
      const { api } = yield* serviceOf(given)
      const format = given.json ? "json" : "yaml"
      const text = yield* api.scenarios.toFile({ path: { id: given.id }, urlParams: { format } })
      const terminal = yield* TerminalOutput
      yield* Option.match(given.out, {
        onNone: () => terminal.print(text.trimEnd()),
        onSome: (path) => saveFile(path, text)
      })
    }).pipe(reaching)
).pipe(Command.withDescription("Print a saved scenario as YAML, or with --json as JSON"))

const validateCommand = Command.make(
  "validate",
  { file, json: Options.boolean("json").pipe(Options.withDescription("print the problems as JSON")) },
  (given) =>
    Effect.gen(function* () {
      const answer = validateScenario(yield* readText(given.file))
      const terminal = yield* TerminalOutput
      if (given.json) yield* terminal.print(JSON.stringify(answer))
      else if (answer.valid) yield* terminal.print("valid")
      for (const { column, line, message, path } of given.json ? [] : answer.problems) {
        yield* terminal.print(
          plain(`${given.file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`)
        )
      }
      yield* exitWith(answer.valid ? 0 : 2)
    })
).pipe(
  Command.withDescription("List every problem of a scenario file with its line and column; needs no service")
)

const runCommand = Command.make(
  "run",
  {
    ...serviceFlags,
    scenario: Args.text({ name: "scenario" }).pipe(
      Args.withDescription("the id of a saved scenario, or a file")
    ),
    target,
    version: versionOption,
    recover: recoverOption,
    dryRun: Options.boolean("dry-run").pipe(
      Options.withDescription("print what would be sent, without sending it")
    )
  },
  (given) =>
    Effect.gen(function* () {
      const service = yield* serviceOf(given)
      const { api } = service
      const isSaved = given.scenario.startsWith("scn_")
      const scenario = isSaved
        ? yield* api.scenarios.read({ path: { id: given.scenario } })
        : yield* saved(api, given.scenario)
      const where = yield* targetOf(api, given.target, given.version)
      const work = given.dryRun
        ? Effect.flatMap(
            api.scenarios.dryRun({ payload: { scenarioId: scenario.id, ...where } }),
            (rehearsal) =>
              Effect.flatMap(TerminalOutput, (terminal) =>
                Effect.forEach(
                  given.json ? [JSON.stringify(rehearsal)] : dryRunLines(rehearsal).map(plain),
                  terminal.print
                )
              )
          ).pipe(Effect.as(undefined))
        : api.journeyRuns.start({ headers: {}, payload: { ...where, scenarioId: scenario.id } })
      // The run stores its order, so the scenario of a file can be removed after the start.
      const started = yield* isSaved
        ? work
        : Effect.ensuring(work, Effect.ignore(api.scenarios.remove({ path: { id: scenario.id } })))
      if (started === undefined) return
      const terminal = yield* TerminalOutput
      yield* terminal.say(`  again: plugfest watch ${started.runId}`)
      yield* followJourney(service, started, {
        json: given.json,
        recover: Option.getOrUndefined(given.recover)
      })
    }).pipe(reaching)
).pipe(Command.withDescription("Play a scenario, saved or of a file"))

/** `plugfest scenario`: handles scenario files, saved or not. `run` ends as `plugfest journey` does. */
export const scenarioCommand = Command.make("scenario").pipe(
  Command.withSubcommands([importCommand, exportCommand, validateCommand, runCommand])
)
