/** Follows a conformance run until it has a verdict: by its feed, and by polling when the feed breaks. */
import { Effect, FiberMap, Ref, Stream } from "effect"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { RunReport } from "../../../schema/RunReport.ts"
import { followRun, type Service, whenBack } from "../service/Service.ts"
import { type Colour, TerminalOutput } from "../terminal/Terminal.ts"
import {
  barsAfter,
  noBars,
  phaseLegend,
  progressLine,
  type StageResult,
  stageLine,
  stepOfWait,
  waitLine
} from "./moduleBars.ts"

const colours: Readonly<Record<StageResult, Colour>> = {
  ok: "green",
  warn: "yellow",
  FAIL: "red",
  error: "red",
  none: "dim"
}

/** Returns the report with its verdict. Writes progress to stderr, each line after `margin`. */
export const followConformance = Effect.fn("cli.followConformance")(function* (
  { api, key, url }: Service,
  started: RunReport,
  margin = ""
) {
  const terminal = yield* TerminalOutput
  const bars = yield* Ref.make(noBars)
  const waits = yield* FiberMap.make<string>()
  /** A wait is told once it lasts: most of them end at once. */
  const followWait = (event: LedgerEvent) => {
    const line = waitLine(event)
    const step = stepOfWait(event)
    if (step === undefined) return Effect.void
    return line === undefined
      ? FiberMap.remove(waits, step)
      : FiberMap.run(waits, step, Effect.delay(terminal.say(`${margin}  ${line}`), toldAfter))
  }
  yield* followRun(url, key, started.runId).pipe(
    Stream.runForEach((event) =>
      Effect.gen(function* () {
        const now = yield* Ref.updateAndGet(bars, (before) => barsAfter(before, event))
        const paint = (result: StageResult, text: string) => terminal.paint(colours[result], text)
        const line = phaseLegend(event) ?? stageLine(now, event, paint, terminal.columns)
        if (line !== undefined) yield* terminal.say(margin + line)
        yield* followWait(event)
        yield* terminal.status(margin + progressLine(now))
      })
    ),
    // Without the feed the report below still gives the verdict.
    Effect.catchAll(({ message }) =>
      terminal.say(`${margin}the feed broke (${message}); polling the report instead`)
    )
  )
  yield* FiberMap.clear(waits)
  let report = started
  while (report.verdict === null) {
    report = yield* whenBack(
      api.testing.run({ path: { id: started._id }, urlParams: { wait: "20", since: report.revision } })
    )
  }
  yield* terminal.clear
  return report
}, Effect.scoped)

const toldAfter = "3 seconds"
