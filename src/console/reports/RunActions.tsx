import { useMutation } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import type { RunReport } from "../../client/plugfest.ts"
import { client } from "../data/client.ts"
import { queries, reportQuery } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { Failure } from "../elements/States.tsx"
import { viewOf } from "../format/orderView.ts"
import { useKeys } from "../hooks/useKeys.ts"
import { PlayJourneyAgain } from "../runs/PlayJourneyAgain.tsx"
import { Exports } from "./Exports.tsx"

/** What can be done about a run: stop it, run it again in whole or in part, save its report. */
export function RunActions({ report, running }: { readonly report: RunReport; readonly running: boolean }) {
  const navigate = useNavigate()
  const cancel = useMutation({
    mutationFn: () => client.testing.cancelRun({ path: { id: report._id } }),
    onSuccess: (data) => queries.setQueryData(reportQuery(report._id).queryKey, data)
  })
  const again = useMutation({
    mutationFn: (only: string | undefined) =>
      client.testing.startRun({
        body: {
          // The same order; what failed is of what it selected.
          ...report.order,
          connectionId: report.connectionId,
          suiteId: report.suiteId!,
          ...(only === undefined ? {} : { only })
        }
      }),
    onSuccess: ({ _id }) => navigate({ to: "/runs/$id", params: { id: _id } })
  })
  const error = cancel.error ?? again.error
  const mayRun = useAllowed("run")
  useKeys({
    p: () => {
      if (mayRun && !running && report.suiteId !== undefined && !again.isPending) again.mutate(undefined)
    }
  })
  return (
    <>
      {report.kind === "journey" ? (
        <Link to="/journeys/$id" params={{ id: report.runId }} className="button">
          Ledger and machine
        </Link>
      ) : null}
      {running ? (
        mayRun && report.kind === "conformance" ? (
          <button
            type="button"
            className="button grave"
            disabled={cancel.isPending || report.status === "cancelling"}
            onClick={() => cancel.mutate()}
          >
            Stop the run
          </button>
        ) : null
      ) : (
        <>
          {mayRun && report.suiteId !== undefined && report.summary.failed > 0 ? (
            <button
              type="button"
              className="button first"
              disabled={again.isPending}
              onClick={() => again.mutate(`failed-of:${report._id}`)}
            >
              Run the failed ones again
            </button>
          ) : null}
          {!mayRun || report.suiteId === undefined ? null : (
            <button
              type="button"
              className="button"
              disabled={again.isPending}
              aria-keyshortcuts="p"
              onClick={() => again.mutate(undefined)}
            >
              Play again
            </button>
          )}
          {report.kind === "journey" ? <PlayJourneyAgain {...report} templateId={report.templateId} /> : null}
          {mayRun && report.suiteId !== undefined ? (
            <Link
              to="/suites"
              search={{
                connection: report.connectionId,
                suite: report.suiteId,
                from: report._id,
                ...viewOf(report.order)
              }}
              className="button"
            >
              Change the order
            </Link>
          ) : null}
          <Exports report={report} />
        </>
      )}
      {error === null ? null : <Failure error={error} />}
    </>
  )
}
