/** Prints or saves a report of a running service in any format. */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { ExportFormat } from "../../../schema/reports/ExportFormat.ts"
import { fullLines } from "../follow/checkLines.ts"
import { gradedRun } from "../follow/gradedRun.ts"
import { reportLines } from "../follow/reportLines.ts"
import { personalDataOf, unmasked } from "../service/personalData.ts"
import type { Service } from "../service/Service.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { saveFile } from "../terminal/saveFile.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** `plugfest report`: prints or saves a report. The exit code does not depend on the verdict. */
export const reportCommand = Command.make(
  "report",
  {
    ...serviceFlags,
    id: Args.text({ name: "report-id" }).pipe(Args.withDescription("a report id or a run id")),
    format: Options.choice("format", ["text", ...ExportFormat.literals]).pipe(
      Options.withDescription("the form of the report; default: text"),
      Options.withDefault("text" as const)
    ),
    check: Options.text("check").pipe(
      Options.withDescription("print all facts of this check; with --format text"),
      Options.optional
    ),
    unmasked,
    out: Options.text("out").pipe(
      Options.withPseudoName("file"),
      Options.withDescription("write the report to this file"),
      Options.optional
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const { api } = yield* serviceOf(given)
      const path = { id: given.id }
      const format = given.json ? "json" : given.format
      const text =
        format === "text"
          ? (yield* textOf(api, given.id, given.check)).join("\n")
          : yield* api.testing.exportRun({ path, urlParams: { format, ...personalDataOf(given) } })
      yield* Option.match(given.out, {
        onNone: () => terminal.print(text.trimEnd()),
        onSome: (file) => saveFile(file, text)
      })
    }).pipe(reaching)
)

const textOf = Effect.fn("cli.textOf")(function* (
  api: Service["api"],
  id: string,
  check: Option.Option<string>
) {
  const report = yield* api.testing.run({ path: { id }, urlParams: {} })
  const graded = yield* gradedRun(api, report)
  if (Option.isNone(check)) return reportLines(graded)
  const one = graded.checks.find((result) => result.id === check.value)
  if (one === undefined) return yield* new UsageError({ message: `The report has no check ${check.value}` })
  return fullLines(one)
})
