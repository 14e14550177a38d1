import { useMemo, useRef } from "react"
import type { Assertion, RunReport } from "../../client/plugfest.ts"
import { isOpen, type ReportDocument } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Empty } from "../elements/States.tsx"
import { asPages } from "../format/asPages.ts"
import { capital, count } from "../format/words.ts"
import { useKeys } from "../hooks/useKeys.ts"
import { useView } from "../hooks/useView.ts"
import { Accepted, NotJudged } from "./Accepted.tsx"
import { Causes, CheckLinks, FoundSoFar } from "./Causes.tsx"
import { CheckDetail } from "./CheckDetail.tsx"
import { CheckFilters } from "./CheckFilters.tsx"
import { ChoiceList } from "./ChoiceList.tsx"
import { filterChecks, step, stepFailure } from "./groupChecks.ts"
import { Modules } from "./ReportSummary.tsx"

/**
 * What failed by cause, the modules, and the checks with the chosen one beside them. While the run goes on, whatever grows stands
 * beside or below the checks: nothing pushes what somebody reads.
 */
export function Checks({
  checks,
  document,
  reading,
  report
}: {
  readonly report: RunReport
  readonly checks: ReadonlyArray<Assertion>
  /** Of a run that is over. */
  readonly document: ReportDocument | undefined
  readonly reading: boolean
}) {
  const [view, change] = useView()
  const formerFocus = useRef(false)
  const shown = useMemo(
    () => filterChecks(checks, { outcome: view["outcome"], module: view["module"], text: view["q"] }),
    [checks, view["outcome"], view["module"], view["q"]]
  )
  const selected = checks.find(({ id }) => id === view["check"])
  const select = (check: string | undefined) => change({ check, place: undefined, exchange: undefined })
  const ids = shown.map(({ id }) => id)
  useKeys({
    j: () => select(step(ids, selected?.id, 1)),
    k: () => select(step(ids, selected?.id, -1)),
    f: () => select(stepFailure(checks, selected?.id, 1) ?? selected?.id),
    F: () => select(stepFailure(checks, selected?.id, -1) ?? selected?.id)
  })
  const running = isOpen(report.status)
  const none = (
    <Empty>
      <p>{checks.length === 0 ? "No check has a result yet." : "No check is like this."}</p>
      {checks.length === 0 ? null : (
        <button
          type="button"
          className="button"
          onClick={() => change({ outcome: undefined, module: undefined, q: undefined })}
        >
          Show all checks
        </button>
      )}
    </Empty>
  )
  const about = (
    <>
      <Accepted report={report} checks={checks} select={select} />
      <Unjudged document={document} select={select} />
      <NotJudged report={report} />
      <Modules checks={checks} chosen={view["module"]} choose={(module) => change({ module })} />
    </>
  )
  return (
    <>
      {running ? null : (
        <>
          <Causes causes={document?.causes} checks={checks} select={select} />
          {about}
        </>
      )}
      <section className="stack" aria-label="Checks">
        <CheckFilters checks={checks} running={running} />
        {shown.length === 0 && !running ? (
          none
        ) : (
          <div className={`report-panes ${selected === undefined ? "" : "chosen"}`}>
            {shown.length === 0 ? (
              <div className="check-list card">{none}</div>
            ) : (
              <ChoiceList
                items={shown}
                idOf={({ id }) => id}
                label={count(shown.length, "check")}
                rowHeight={62}
                selected={selected?.id}
                select={select}
              >
                {({ id, outcome, title }) => (
                  <>
                    <span className="row apart">
                      <span className="mono">{id}</span>
                      <Badge word={outcome} />
                    </span>
                    <span className="check-title">{title}</span>
                  </>
                )}
              </ChoiceList>
            )}
            {selected === undefined ? (
              running ? (
                <FoundSoFar checks={checks} select={select} />
              ) : (
                <p className="empty card">
                  Choose a check.{" "}
                  <span>
                    <kbd>j</kbd> and <kbd>k</kbd> step through them, <kbd>f</kbd> goes to the next failure.
                  </span>
                </p>
              )
            ) : (
              <CheckDetail
                key={selected.id}
                report={report}
                check={selected}
                exchanges={document?.exchanges}
                formerFocus={formerFocus}
                reading={reading}
                onClose={() => select(undefined)}
              />
            )}
          </div>
        )}
      </section>
      {running ? about : null}
    </>
  )
}

/** Checks that could not be judged, by reason, and what to do about each. */
function Unjudged({
  document,
  select
}: {
  readonly document: ReportDocument | undefined
  readonly select: (id: string) => void
}) {
  const reasons = document?.unjudged ?? []
  if (reasons.length === 0) return null
  return (
    <details className="card">
      <summary>
        Not judged:{" "}
        {count(
          reasons.reduce((sum, { checks }) => sum + checks.length, 0),
          "check"
        )}
        , for {count(reasons.length, "reason")}
      </summary>
      <ul className="stack tight">
        {reasons.map(({ checks, isSaid, next, reason }) => (
          <li key={reason} className="unjudged">
            <p>{asPages(reason)}</p>
            {isSaid ? null : <p className="quiet">{asPages(capital(next))}.</p>}
            <p className="small quiet">
              <CheckLinks ids={checks} select={select} />
            </p>
          </li>
        ))}
      </ul>
    </details>
  )
}
