/** What is said of a conformance run when it is over. */
import { appendFile } from "node:fs/promises"
import { Effect, Option } from "effect"
import { registrationForgotten } from "../../../schema/Assertion.ts"
import type { RunReport } from "../../../schema/RunReport.ts"
import { causesOf } from "../../reports/causes.ts"
import { anew } from "../connecting/connectionAdvice.ts"
import { type Service, whenBack } from "../service/Service.ts"
import { annotations } from "../terminal/annotations.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"
import { gradedRun } from "./gradedRun.ts"
import { readOn } from "./readOn.ts"
import { reportLines } from "./reportLines.ts"

/** Prints bad results and the verdict to stdout; in GitHub Actions also annotations and the job summary. */
export const tellReport = Effect.fn("cli.tellReport")(function* (
  { api }: Service,
  report: RunReport,
  { json }: { readonly json: boolean }
) {
  const terminal = yield* TerminalOutput
  const graded = yield* gradedRun(api, report)
  const { checks, leftBehind } = graded
  if (json) yield* terminal.print(JSON.stringify({ report, causes: causesOf(checks), leftBehind, checks }))
  else for (const line of reportLines(graded)) yield* terminal.print(line)
  if (checks.some(({ reason }) => reason?.startsWith(registrationForgotten))) {
    const connection = yield* Effect.option(
      whenBack(api.connections.read({ path: { id: report.connectionId } }))
    )
    if (Option.isSome(connection))
      yield* terminal.say(`The registration is lost. Register anew: ${anew(connection.value)}`)
  }
  yield* terminal.say(readOn(report._id))
  if (process.env["GITHUB_ACTIONS"] !== "true") return
  // GitHub reads both streams; stdout is kept for data.
  for (const line of annotations(checks)) yield* terminal.say(line)
  const summary = process.env["GITHUB_STEP_SUMMARY"]
  if (summary === undefined || summary === "") return
  const markdown = yield* whenBack(
    api.testing.exportRun({ path: { id: report._id }, urlParams: { format: "markdown" } })
  )
  yield* Effect.promise(() => appendFile(summary, markdown).catch(() => {})) // a failed summary must not change the exit code
})
