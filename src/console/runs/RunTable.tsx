import { Link } from "@tanstack/react-router"
import type { RunReport } from "../../client/plugfest.ts"
import { useNames } from "../data/useNames.ts"
import { Badge } from "../elements/Badge.tsx"
import { ListRow } from "../elements/ListRow.tsx"
import { Time } from "../elements/Time.tsx"

/** Runs, each with its result; a journey that is open leads to its live page. */
export function RunTable({ runs }: { readonly runs: ReadonlyArray<RunReport> }) {
  const names = useNames()
  return (
    <ul className="run-list">
      {runs.map((run) => (
        <ListRow
          key={run._id}
          state={<Badge word={run.verdict ?? run.status} />}
          figure={
            run.verdict === null
              ? `${run.progress.done} of ${run.progress.of}`
              : `${run.summary.failed} failed, ${run.summary.warned} warned, ${run.summary.passed} passed`
          }
          time={<Time at={run.createdAt} />}
        >
          {run.kind === "journey" ? (
            <Link to="/journeys/$id" params={{ id: run.runId }}>
              {names.journey(run.templateId)}
            </Link>
          ) : (
            <Link to="/runs/$id" params={{ id: run._id }}>
              {names.suite(run.suiteId)}
            </Link>
          )}
          <span className="quiet">{run.connectionLabel}</span>
        </ListRow>
      ))}
    </ul>
  )
}
