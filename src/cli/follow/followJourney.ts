/** Follows a journey run on the command line, applies recovery decisions and reports its verdict. */

import { Data, Effect, Ref, Stream } from "effect"
import { noProgress, progressAfter } from "../../../machines/runProgress.ts"
import { RunId } from "../../../schema/Ids.ts"
import type { JourneyRunStatus } from "../../../schema/JourneyRun.ts"
import type { LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import { Decision } from "../../../schema/Recovery.ts"
import { causesOf } from "../../reports/causes.ts"
import { followRun, type Service, whenBack } from "../service/Service.ts"
import { exitCodeOfRun, exitWith } from "../terminal/exitCode.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { askDecision } from "./askDecision.ts"
import { gradedRun } from "./gradedRun.ts"
import { readOn } from "./readOn.ts"
import { reportLines } from "./reportLines.ts"
import { sayItGoesOn } from "./sayItGoesOn.ts"
import { barLegend, describeEvent, stageBar } from "./stageBar.ts"

/** What to do when a run is interrupted; undefined: list the offered decisions and end. */
type Recover = "prompt" | Decision | undefined

/** The run is interrupted and no offered decision was given; exit code 3. */
class CannotJudge extends Data.TaggedError("CannotJudge")<{ readonly message: string }> {}

/** Follows the run, and any run that replaces it, to the end; prints the verdict and sets the exit code. */
export const followJourney = Effect.fn("cli.followJourney")(function* (
  service: Service,
  first: JourneyRunStatus,
  { json, recover }: { readonly json: boolean; readonly recover: Recover }
) {
  const terminal = yield* TerminalOutput
  yield* terminal.say(`  number in the ledger, and ${barLegend}:`)
  let run = first
  for (;;) {
    const { runId } = run
    const successor = yield* followOne(service, run, recover).pipe(
      Effect.onInterrupt(() => sayItGoesOn(runId))
    )
    if (successor === undefined) break
    yield* terminal.say(`  goes on as ${successor}`)
    run = yield* whenBack(service.api.journeyRuns.read({ path: { id: RunId.make(successor) } }))
  }
  yield* terminal.clear
  const id = run.reportId
  const report = yield* whenBack(service.api.testing.run({ path: { id }, urlParams: {} }))
  const graded = yield* gradedRun(service.api, report)
  const { checks: assertions, leftBehind } = graded
  if (json)
    yield* terminal.print(JSON.stringify({ report, causes: causesOf(assertions), leftBehind, assertions }))
  else for (const line of reportLines(graded)) yield* terminal.print(line)
  yield* terminal.say(readOn(id))
  yield* exitWith(exitCodeOfRun(report))
})

/** Follows one run; returns the id of the run that replaces it, if any. */
const followOne = Effect.fnUntraced(function* (service: Service, run: JourneyRunStatus, recover: Recover) {
  const terminal = yield* TerminalOutput
  const progress = yield* Ref.make(noProgress)
  const last = yield* followRun(service.url, service.key, run.runId).pipe(
    Stream.tap((event) =>
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
        if (event.type === "recovery.offered") yield* decide(service, run.runId, event, recover)
      })
    ),
    Stream.runLast
  )
  const end = last._tag === "Some" ? last.value : undefined
  return end?.type === "run.cancelled" ? (end.data?.successorRunId ?? undefined) : undefined
})

/** Applies a decision to the latest offer if the run still waits for one; earlier offers are replayed history. */
const decide = Effect.fnUntraced(function* (
  { api }: Service,
  id: RunId,
  { data }: LedgerEventOf<"recovery.offered">,
  recover: Recover
) {
  const { recoveryOptions, recoveryVersion, status } = yield* whenBack(api.journeyRuns.read({ path: { id } }))
  if (status !== "interrupted" || data.version !== recoveryVersion) return
  const terminal = yield* TerminalOutput
  for (const { decision, description, recommended } of recoveryOptions) {
    yield* terminal.say(`  ${decision}${recommended ? " (recommended)" : ""}: ${plain(description)}`)
  }
  const offered = recoveryOptions.map(({ decision }) => decision)
  const decision = recover === "prompt" ? yield* askDecision(process.stdin, process.stderr, offered) : recover
  if (decision === undefined) {
    return yield* new CannotJudge({
      message: `Run ${id} is interrupted: plugfest watch ${id} --recover <${offered.join("|")}|prompt> continues it`
    })
  }
  if (!offered.includes(decision)) {
    return yield* new CannotJudge({
      message: `Run ${id} is interrupted, and ${decision} is not offered; offered are: ${offered.join(", ")}`
    })
  }
  // With its version a repeated request is applied once.
  const payload = { decision, recoveryVersion }
  yield* whenBack(api.journeyRuns.recovery({ path: { id }, headers: {}, urlParams: {}, payload })).pipe(
    Effect.catchTag("Conflict", (conflict) =>
      Effect.gen(function* () {
        const now = yield* whenBack(api.journeyRuns.read({ path: { id } }))
        if (now.status === "interrupted" && now.recoveryVersion === recoveryVersion) return yield* conflict
        // Another client has decided meanwhile; the feed shows how the run continues.
        yield* terminal.say(`  ${plain(conflict.message)}`)
      })
    )
  )
})

/** The values of `--recover`. */
export const recoverChoices = ["prompt", ...Decision.literals] as const
