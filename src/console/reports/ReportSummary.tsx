import { useMemo } from "react"
import type { Assertion, RunReport } from "../../client/plugfest.ts"
import type { ReportDocument } from "../data/queries.ts"
import { asPages } from "../format/asPages.ts"
import { count, inWords, toneOf } from "../format/words.ts"
import { countModules } from "./groupChecks.ts"

/** The verdict, and of how many checks. What each outcome counts stands in the chips that filter by it. */
export function Verdict({
  reason,
  report,
  turns = []
}: {
  readonly report: RunReport
  /** Whose turn it is, where the run did not pass. */
  readonly turns: ReportDocument["turns"]
  readonly reason: string | undefined
}) {
  const { progress, status, summary, verdict } = report
  return (
    <section
      className={`note verdict ${toneOf(verdict ?? status)} stack tight`}
      aria-label="Verdict"
      aria-live="polite"
    >
      <p className="verdict-word">{inWords(verdict ?? status)}</p>
      <p>
        {verdict === null
          ? `${progress.done} of ${count(progress.of, "check")} done`
          : `${summary.failed} failed, ${summary.warned} warned, ${summary.passed} passed of ${count(summary.total, "graded check")}`}
        {summary.unobservable + summary.notTested === 0
          ? ""
          : ` · ${summary.unobservable + summary.notTested} could not be judged`}
        {summary.notApplicable === 0 ? "" : ` · ${summary.notApplicable} do not apply`}
      </p>
      {verdict === null ? (
        <div
          className="bar"
          role="progressbar"
          aria-label="Checks done"
          aria-valuemin={0}
          aria-valuemax={progress.of}
          aria-valuenow={progress.done}
        >
          <i className="done" style={{ width: `${(100 * progress.done) / Math.max(progress.of, 1)}%` }} />
        </div>
      ) : null}
      {turns.map(({ party, words }) => (
        <p key={party} className="turn">
          {words}.
        </p>
      ))}
      {reason === undefined ? null : <p>{asPages(reason)}</p>}
    </section>
  )
}

/** A bar for each module of OCPI that was judged; a click filters by it. */
export function Modules({
  checks,
  choose,
  chosen
}: {
  readonly checks: ReadonlyArray<Assertion>
  readonly chosen: string | undefined
  readonly choose: (module: string | undefined) => void
}) {
  const modules = useMemo(() => countModules(checks), [checks])
  if (modules.length < 2) return null
  return (
    <section className="module-bars" aria-label="Modules">
      {modules.map(({ counts, module, of }) => (
        <button
          key={module}
          type="button"
          aria-pressed={module === chosen}
          onClick={() => choose(module === chosen ? undefined : module)}
        >
          <span className="row apart">
            <b>{module}</b>
            <span className="small quiet">
              {counts["passed"] ?? 0} of {of}
              <span className="unseen"> passed</span>
            </span>
          </span>
          <span className="bar" aria-hidden="true">
            {(["failed", "warned", "passed"] as const).map((outcome) => (
              <i
                key={outcome}
                className={outcome}
                style={{ width: `${(100 * (counts[outcome] ?? 0)) / of}%` }}
                hidden={!counts[outcome]}
              />
            ))}
          </span>
        </button>
      ))}
    </section>
  )
}
