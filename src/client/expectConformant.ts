/** An assertion for test runners: a partner passes a suite. */
import type { Assertion, Input, PlugfestClient, RunReport } from "./types.ts"

/** A run of a suite did not have the verdict that was asked for. The message lists each check that failed or could not be judged. */
export class NotConformant extends Error {
  override readonly name = "NotConformant"
  readonly report: RunReport
  /** The checks that failed, warned, had an error or could not be judged. */
  readonly checks: ReadonlyArray<Assertion>

  constructor(report: RunReport, checks: ReadonlyArray<Assertion>) {
    super([headOf(report), ...checks.map(lineOf)].join("\n"))
    this.report = report
    this.checks = checks
  }
}

/** What is graded, and which verdicts will do. */
export type Expectation = Input<"testing.startRun">["body"] & {
  /** Default: `pass` alone. */
  readonly verdicts?: ReadonlyArray<NonNullable<RunReport["verdict"]>>
}

/**
 * Runs a suite on a connection and waits for its end. Answers the report; fails with `NotConformant` when its verdict is none of
 * `verdicts`, and with `PlugfestError` when the service refuses or cannot be reached.
 */
export async function expectConformant(
  client: PlugfestClient,
  { verdicts = ["pass"], ...body }: Expectation,
  options: { readonly signal?: AbortSignal } = {}
): Promise<RunReport> {
  const started = await client.testing.startRun({ body }, options)
  const report = await client.endOfRun(started._id, options)
  if (report.verdict !== null && verdicts.includes(report.verdict)) return report
  const checks = await client.testing.checks({ path: { id: report._id } }, options)
  const bad = checks.filter(({ outcome }) => !["passed", "not_applicable"].includes(outcome))
  throw new NotConformant(report, bad)
}

const headOf = ({ _id, connectionLabel, suiteId, verdict }: RunReport) =>
  `${connectionLabel} has the verdict ${verdict ?? "none"} in ${suiteId ?? "its run"} (${_id})`

const lineOf = ({ actual, expected, hint, id, message, outcome, reason, title }: Assertion) =>
  [
    `${outcome} ${id} ${title}`,
    ...[
      ["found", message ?? reason],
      ["seen", actual],
      ["expected", expected],
      ["what to change", hint]
    ].flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`    ${name}: ${String(value)}`]
    )
  ].join("\n")
