import { Link } from "@tanstack/react-router"
import type { Assertion, RunReport } from "../../client/plugfest.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { Badge } from "../elements/Badge.tsx"
import { viewOf } from "../format/orderView.ts"
import { count } from "../format/words.ts"
import { CheckLinks } from "./Causes.tsx"

/** The failures that the order of the run accepted, each with its reason and what became of it. */
export function Accepted({
  checks,
  report: { order },
  select
}: {
  readonly report: RunReport
  readonly checks: ReadonlyArray<Assertion>
  readonly select: (id: string) => void
}) {
  const accepted = order?.accept ?? []
  if (accepted.length === 0) return null
  return (
    <details className="card">
      <summary>{count(accepted.length, "accepted failure")}</summary>
      <ul className="stack tight">
        {accepted.map(({ checkId, expires, owner, reason }) => {
          const check = checks.find(({ id }) => id === checkId)
          return (
            <li key={checkId} className="cause">
              {check === undefined ? (
                <span className="badge">Not asked</span>
              ) : (
                <Badge word={check.outcome} />
              )}
              <div>
                <p>
                  <CheckLinks ids={[checkId]} select={select} /> {check?.title}
                </p>
                <p>{reason}</p>
                <p className="quiet small">
                  {owner} answers for it, until {expires}.
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </details>
  )
}

/** Leads to the same order with a row for this failure, which is to be given a reason and a day. */
export function AcceptLink({ check, report }: { readonly check: Assertion; readonly report: RunReport }) {
  const mayRun = useAllowed("run")
  const isAccepted = report.order?.accept?.some(({ checkId }) => checkId === check.id) === true
  if (!mayRun || report.suiteId === undefined || check.outcome !== "failed" || isAccepted) return null
  return (
    <Link
      to="/suites"
      search={{
        connection: report.connectionId,
        suite: report.suiteId,
        from: report._id,
        accept: check.id,
        ...viewOf(report.order)
      }}
      className="button small"
    >
      Accept this failure in the next run
    </Link>
  )
}

/** The modules that no suite judges: those that the partner announces first. */
export function NotJudged({ report: { notJudged = [] } }: { readonly report: RunReport }) {
  if (notJudged.length === 0) return null
  const announced = notJudged.filter((one) => one.announced === true)
  const others = notJudged.filter((one) => one.announced !== true)
  const named = (modules: typeof notJudged) => modules.map(({ name }) => name).join(", ")
  return (
    <p className="quiet small">
      {announced.length === 0
        ? null
        : `The partner announces what plugfest does not judge: ${named(announced)}. `}
      {others.length === 0
        ? null
        : `${announced.length === 0 ? "Not judged by plugfest" : "Not judged, either"}: ${named(others)}.`}
    </p>
  )
}
