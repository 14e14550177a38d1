/** Runs a conformance suite against a connection and ends with its verdict. */
import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { Need } from "../../../schema/Need.ts"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { type StartConformanceRun, suiteId } from "../../../schema/Suite.ts"
import { namedConnection } from "../connecting/namedConnection.ts"
import { followConformance } from "../follow/followConformance.ts"
import { target } from "../follow/journeyTarget.ts"
import { tellReport } from "../follow/tellReport.ts"
import { personalDataOf, unmasked } from "../service/personalData.ts"
import { type Service, whenBack } from "../service/Service.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { exitCodeOfRun, exitWith } from "../terminal/exitCode.ts"
import { readText } from "../terminal/readText.ts"
import { saveFile } from "../terminal/saveFile.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

const texts = (name: string, meaning: string) =>
  Options.text(name).pipe(Options.withDescription(meaning), Options.repeated)
const text = (name: string, value: string, meaning: string) =>
  Options.text(name).pipe(Options.withPseudoName(value), Options.withDescription(meaning), Options.optional)

const files = {
  junit: text("junit", "file", "write the report to this file as JUnit XML"),
  html: text("html", "file", "write the report to this file as one HTML page"),
  markdown: text("markdown", "file", "write the report to this file as Markdown"),
  har: text("har", "file", "write all exchanges to this file as HTTP Archive")
}

const isWhole = (suite: string) => suite.startsWith("ocpi-")
const newestCpo = { theirRole: "CPO", ocpiVersion: OcpiVersion.literals.at(-1)! } as const

/** The target and the suite as fields of the API. A suite is named whole, or by the last part of its id. */
const testedOf = Effect.fnUntraced(function* (api: Service["api"], name: string, suite: string) {
  if (name === "sandbox") {
    return { target: "sandbox" as const, suiteId: isWhole(suite) ? suite : suiteId(newestCpo, suite) }
  }
  const connection = yield* namedConnection(api, name)
  return { connectionId: connection._id, suiteId: isWhole(suite) ? suite : suiteId(connection, suite) }
})

/** `plugfest test`: runs a conformance suite and follows it. Exit codes as in `exitCodeOfRun`. */
export const testCommand = Command.make(
  "test",
  {
    ...serviceFlags,
    target,
    suite: Options.text("suite").pipe(
      Options.withDescription(
        "core, full, smoke, registration, hub, or a module such as locations; or the id of a suite, as plugfest suites lists them; default: core. For sandbox, a part of an id means the suite of a CPO in the newest version"
      ),
      Options.withDefault("core")
    ),
    checks: texts("check", "run only this check: an id, or a pattern such as LOC-*"),
    modules: texts("module", "run only checks of this module"),
    clauses: texts(
      "clause",
      "run only checks by this clause of OCPI: a document or a document with a section, such as 'mod_sessions, Session Object', or a pattern"
    ),
    profile: Options.choice("profile", ["lenient", "strict"]).pipe(
      Options.withDescription("strict: a broken SHOULD fails, too; default: lenient"),
      Options.withDefault("lenient" as const)
    ),
    needs: Options.choice("need", [...Need.literals, "nothing"]).pipe(
      Options.withDescription(
        "of what could not be judged, count only checks that need this: partner_acts = somebody acts at the partner, partner_data = the partner has objects that not everybody has, second_registration = a second connection of ours, risk = the registration may end (only then are these checks run without --check); nothing = count none of them; default: count all"
      ),
      Options.repeated
    ),
    only: text("only", "failed-of:id", "failed-of:<report id>: run only checks that failed in that report"),
    accept: text(
      "accept",
      "file",
      "a JSON file with accepted deviations: [{checkId, reason, owner, expires}]"
    ),
    listen: Options.integer("listen").pipe(
      Options.withDescription("seconds to wait for what the partner sends by itself, 0 to 600; default: 0"),
      Options.withDefault(0)
    ),
    failOnWarn: Options.boolean("fail-on-warn").pipe(
      Options.withDescription("end with exit code 1 also when a check warned")
    ),
    unmasked,
    files: Options.all(files)
  },
  (given) =>
    Effect.gen(function* () {
      const service = yield* serviceOf(given)
      const { api } = service
      const accept = yield* acceptedIn(given.accept)
      yield* checkOnly(given.only)
      const tested = yield* testedOf(api, given.target, given.suite)
      const started = yield* api.testing.startRun({
        headers: {},
        urlParams: {},
        payload: {
          ...tested,
          profile: given.profile,
          listenSeconds: given.listen,
          ...(given.checks.length === 0 ? {} : { checks: given.checks }),
          ...(given.modules.length === 0 ? {} : { modules: given.modules }),
          ...(given.clauses.length === 0 ? {} : { clauses: given.clauses }),
          ...(given.needs.length === 0 ? {} : { needs: given.needs.filter((need) => need !== "nothing") }),
          ...Option.match(given.only, { onNone: () => ({}), onSome: (only) => ({ only }) }),
          ...(accept === undefined ? {} : { accept })
        }
      })
      const terminal = yield* TerminalOutput
      yield* terminal.say(`  suite: ${started.suiteId}; again: plugfest watch ${started._id}`)
      const report = yield* followConformance(service, started).pipe(
        Effect.onInterrupt(() =>
          api.testing.cancelRun({ path: { id: started._id }, headers: {} }).pipe(
            Effect.matchEffect({
              onSuccess: () =>
                terminal.say(
                  `  The run is cancelled, and what was graded is kept: plugfest report ${started._id}`
                ),
              onFailure: ({ message }) =>
                terminal.say(
                  `  The run could not be cancelled (${plain(message)}): plugfest watch ${started._id} shows how it goes on`
                )
            })
          )
        )
      )
      yield* tellReport(service, report, given)
      for (const [format, file] of Object.entries(given.files)) {
        if (Option.isNone(file)) continue
        const urlParams = { format: format as keyof typeof files, ...personalDataOf(given) }
        const text = yield* whenBack(api.testing.exportRun({ path: { id: report._id }, urlParams }))
        yield* saveFile(file.value, text)
      }
      yield* exitWith(exitCodeOfRun(report, { warningsCount: given.failOnWarn }))
    }).pipe(reaching)
)

/** `--only` takes the failures of a report; a check is named by another flag. */
function checkOnly(only: Option.Option<string>): Effect.Effect<void, UsageError> {
  const said = Option.getOrElse(only, () => failedOf)
  if (said.startsWith(failedOf)) return Effect.void
  const instead = /^rep_|^run_/.test(said) ? `--only ${failedOf}${plain(said)}` : `--check ${plain(said)}`
  return new UsageError({
    message: `--only takes ${failedOf}<report id>. Did you mean ${instead}?`
  })
}

const failedOf = "failed-of:"

function acceptedIn(file: Option.Option<string>) {
  return Option.match(file, {
    onNone: () => Effect.succeed(undefined),
    onSome: (path) =>
      Effect.flatMap(readText(path), (text) =>
        Effect.try({
          // The service validates the fields.
          try: () => JSON.parse(text) as StartConformanceRun["accept"],
          catch: () => new UsageError({ message: `--accept: ${plain(path)} is not JSON` })
        })
      )
  })
}
