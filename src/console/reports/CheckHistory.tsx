import { useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Assertion, RunReport } from "../../client/plugfest.ts"
import { resultsQuery, runsBesideQuery } from "../data/reportQueries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Failure, Loading, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useView } from "../hooks/useView.ts"
import { type CheckOfRun, historySentence, runsOfHistory } from "./compareRuns.ts"

const mostRuns = 10

/** What became of a check in the latest runs with this partner; read when it is asked for. */
export function CheckHistory({ check, report }: { readonly check: Assertion; readonly report: RunReport }) {
  const [view, change] = useView()
  const isShown = view["history"] === "1"
  return (
    <section className="stack tight">
      <div>
        <button
          type="button"
          className="button small"
          aria-expanded={isShown}
          onClick={() => change({ history: isShown ? undefined : "1" })}
        >
          History with this partner
        </button>
      </div>
      {isShown ? <History check={check} report={report} /> : null}
    </section>
  )
}

function History({ check, report }: { readonly check: Assertion; readonly report: RunReport }) {
  const runs = useQuery(runsBesideQuery(report.kind, { connectionId: report.connectionId }))
  return (
    <Shown of={runs}>
      {(list) => <Outcomes check={check} report={report} runs={runsOfHistory(list, report, mostRuns)} />}
    </Shown>
  )
}

function Outcomes({
  check,
  report,
  runs
}: {
  readonly check: Assertion
  readonly report: RunReport
  readonly runs: ReadonlyArray<RunReport>
}) {
  const results = useQueries({ queries: runs.map(({ _id }) => resultsQuery(_id, check.module)) })
  const problem = results.find(({ isError }) => isError)
  if (problem !== undefined) return <Failure error={problem.error} />
  if (results.some(({ data }) => data === undefined)) return <Loading />
  const rows: ReadonlyArray<CheckOfRun> = runs.map((run, index) => ({
    run,
    outcome: results[index]?.data?.find(({ id }) => id === check.id)?.outcome
  }))
  return (
    <div className="stack tight">
      <p>{historySentence(rows)}</p>
      <ol className="history">
        {rows.map(({ outcome, run }) => (
          <li key={run._id}>
            {outcome === undefined ? (
              <span className="quiet small">not asked</span>
            ) : (
              <Badge word={outcome} />
            )}
            {run._id === report._id ? (
              <span>this run</span>
            ) : (
              <Link to="/runs/$id" params={{ id: run._id }} search={{ check: check.id, history: "1" }}>
                {run.suiteId ?? run.templateId ?? "Run"}
              </Link>
            )}
            <span className="quiet small">
              <Time at={run.createdAt} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
