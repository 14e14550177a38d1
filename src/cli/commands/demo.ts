/**
 * The demo. It starts the service, by default on the embedded database, makes an API key, registers with a sandbox CPO over
 * real sockets, runs one suite and one journey, and prints how to read the results.
 */
import { Command } from "@effect/cli"
import { FetchHttpClient } from "@effect/platform"
import { Data, Effect, Redacted, Ref, Stream } from "effect"
import { noProgress, progressAfter } from "../../../machines/runProgress.ts"
import { allScopes } from "../../../schema/Account.ts"
import type { Connection } from "../../../schema/Connection.ts"
import { commonVersion } from "../../../schema/ocpi/versions.ts"
import type { RunReport } from "../../../schema/RunReport.ts"
import type { SandboxPartner } from "../../../schema/Sandbox.ts"
import { withService } from "../../main.ts"
import { createKey } from "../../operator.ts"
import type { Settings } from "../../Settings.ts"
import { runHandshake } from "../connecting/runHandshake.ts"
import { badLines } from "../follow/checkLines.ts"
import { followConformance } from "../follow/followConformance.ts"
import { barLegend, describeEvent, stageBar } from "../follow/stageBar.ts"
import { client, followRun, type Service } from "../service/Service.ts"
import { databaseSettings, settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { withRealPort } from "../terminal/freePort.ts"
import { logging } from "../terminal/logging.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

/** A step of the demo failed; exit code 1. */
export class DemoFailed extends Data.TaggedError("DemoFailed")<{ readonly message: string }> {}

type Client = Service["api"]

const suiteSuffix = "-cpo-core"
const journeyId = "remote-start"

/** `plugfest demo`: shows the main features against a sandbox partner. Exit code 1 when a verdict is not `pass`. */
export const demoCommand = Command.make(
  "demo",
  { flags: settingFlags(["port", ...databaseSettings, "simulationSpeed", "logLevel"]) },
  ({ flags }) =>
    Effect.gen(function* () {
      const wanted = yield* settingsFrom(flags, { port: "0", dataDir: ".plugfest/demo", logLevel: "error" })
      const settings = yield* withRealPort(wanted)
      yield* withService(settings, (url) => play(settings, url)).pipe(Effect.provide(logging(settings)))
    }).pipe(Effect.provide(FetchHttpClient.layer))
)

const play = Effect.fn("demo")(function* (settings: Settings, url: string) {
  const terminal = yield* TerminalOutput
  const title = (text: string) => terminal.say(terminal.paint("bold", text))
  yield* title("1 Service")
  const database =
    settings.databaseUrl === undefined ? `embedded Postgres in ${settings.dataDir}` : "DATABASE_URL"
  yield* terminal.say(`  listening on ${url}, ${database}`)

  const key = yield* createKey(settings, {
    account: "default",
    name: "demo",
    scopes: allScopes,
    expiresInDays: 7
  })
  const secret = Redacted.make(key.secret)
  yield* terminal.say(`  key ${key.view.prefix}…${key.view.last4} made (expires in 7 days)`)
  const api = yield* client(url, secret)

  yield* title("2 Partner")
  const suites = yield* api.testing.suites()
  const journeys = yield* api.testing.journeys({ urlParams: {} })
  const versions = journeys.templates.find((template) => template.id === journeyId)?.supportedVersions ?? []
  const fitting = suites.filter((one) => one.id.endsWith(suiteSuffix) && versions.includes(one.ocpiVersion))
  const suite = fitting.find(({ ocpiVersion }) => ocpiVersion === commonVersion) ?? fitting[0]
  if (suite === undefined)
    return yield* new DemoFailed({ message: `There is no suite …${suiteSuffix} to show` })
  const partner = yield* api.sandbox.create({
    headers: {},
    payload: { theirRole: "CPO", ocpiVersion: suite.ocpiVersion, seed: 7 }
  })
  yield* terminal.say(
    `  sandbox CPO ${partner._id}, OCPI ${partner.ocpiVersion}, at ${partner.partnerBaseUrl}`
  )
  const connection = yield* register(api, partner)

  yield* title(`3 Conformance: ${suite.name}`)
  const graded = yield* conformance({ url, key: secret, api }, connection, suite.id)

  yield* title("4 Journey: remote start, charge, stop, bill")
  const journey = yield* charge(api, url, secret, connection)

  yield* title("5 Look again")
  const again =
    settings.databaseUrl === undefined
      ? `npx plugfest serve --data-dir ${settings.dataDir}`
      : "npx plugfest serve"
  for (const line of [
    again,
    "export PLUGFEST_API_KEY=…        # the key below, in another terminal",
    `npx plugfest report ${graded._id}`,
    `npx plugfest watch ${journey.runId}`,
    "npx plugfest open                # the same in a browser, signed in",
    "http://127.0.0.1:8080/docs       # the HTTP API"
  ])
    yield* terminal.say(`  ${line}`)
  yield* terminal.print(`KEY=${key.secret}`)
  yield* terminal.print(`conformance ${graded._id} ${graded.verdict}`)
  yield* terminal.print(`journey ${journey._id} ${journey.verdict}`)
  if (graded.verdict !== "pass" || journey.verdict !== "pass") {
    return yield* new DemoFailed({
      message: "The sandbox partner is conformant, so both verdicts should be pass, and one is not"
    })
  }
})

/** Creates the connection and registers it. */
const register = Effect.fn("demo.register")(function* (api: Client, partner: SandboxPartner) {
  const terminal = yield* TerminalOutput
  const created = yield* api.connections.create({
    headers: {},
    payload: {
      partnerBaseUrl: partner.partnerBaseUrl,
      ourRole: "EMSP",
      theirRole: partner.theirRole,
      ocpiVersion: partner.ocpiVersion,
      tokenA: Redacted.make(partner.tokenA ?? ""),
      label: "demo sandbox CPO"
    }
  })
  yield* terminal.say(
    `  connection ${created._id} ${created.status}; handshake (-> we call the partner, <- the partner calls us):`
  )
  const connection = yield* runHandshake(api, created._id)
  if (connection.status !== "registered") {
    return yield* new DemoFailed({ message: `The handshake failed: ${plain(connection.lastError ?? "")}` })
  }
  return connection
})

const conformance = Effect.fn("demo.conformance")(function* (
  service: Service,
  connection: Connection,
  suiteId: string
) {
  const terminal = yield* TerminalOutput
  yield* terminal.say("  module, its result, how many of the judged checks hold, and the same as a bar:")
  const started = yield* service.api.testing.startRun({
    headers: {},
    urlParams: {},
    payload: { connectionId: connection._id, suiteId }
  })
  const report = yield* followConformance(service, started, "  ")
  const { errored, failed, passed, warned } = report.summary
  yield* terminal.say(`  ${passed} passed, ${failed} failed, ${warned} warned, ${errored} errors of ours`)
  const checks = yield* service.api.testing.checks({ path: { id: report._id }, urlParams: {} })
  for (const line of badLines(checks)) yield* terminal.say(line)
  yield* terminal.say(`  verdict ${verdict(terminal, report.verdict)}`)
  return report
})

const charge = Effect.fn("demo.charge")(function* (
  api: Client,
  url: string,
  key: Redacted.Redacted<string>,
  connection: Connection
) {
  const terminal = yield* TerminalOutput
  const run = yield* api.journeyRuns.start({
    headers: {},
    payload: { connectionId: connection._id, templateId: journeyId }
  })
  yield* terminal.say(`  number in the ledger, and ${barLegend}:`)
  const progress = yield* Ref.make(noProgress)
  yield* followRun(url, key, run.runId).pipe(
    Stream.runForEach((event) =>
      Effect.gen(function* () {
        const now = yield* Ref.updateAndGet(progress, (before) => progressAfter(before, event))
        const words = describeEvent(event)
        if (words !== undefined) {
          const number = String(event.sequence).padStart(3)
          yield* terminal.say(
            `  ${number} ${stageBar(now).padEnd(32)} ${words.split("\n").map(plain).join("\n      ")}`
          )
        }
        yield* terminal.status(`  ${stageBar(now)}`)
      })
    )
  )
  const report = yield* api.testing.run({ path: { id: run.reportId }, urlParams: {} })
  const { failed, passed, warned } = report.summary
  yield* terminal.say(
    `  ${passed} passed, ${failed} failed, ${warned} warned; verdict ${verdict(terminal, report.verdict)}`
  )
  return report
})

function verdict(terminal: TerminalOutput["Type"], value: RunReport["verdict"]): string {
  return terminal.paint(
    value === "pass" ? "green" : value === "warn" ? "yellow" : "red",
    String(value).toUpperCase()
  )
}
