import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import type { RunReport } from "../../client/plugfest.ts"
import { checksQuery, documentQuery, isOpen, reportQuery } from "../data/queries.ts"
import { Page } from "../elements/Page.tsx"
import { Failure, Loading, Shown } from "../elements/States.tsx"
import { Tabs, tabOf } from "../elements/Tabs.tsx"
import { Time } from "../elements/Time.tsx"
import { isRegistrationLost } from "../format/lostRegistration.ts"
import { duration } from "../format/time.ts"
import { useView } from "../hooks/useView.ts"
import { WaitingPanel } from "../runs/WaitingPanel.tsx"
import { Checks } from "./Checks.tsx"
import { Comparison } from "./Comparison.tsx"
import { RegistrationLost } from "./RegistrationLost.tsx"
import { Verdict } from "./ReportSummary.tsx"
import { RunActions } from "./RunActions.tsx"
import { RunExchanges } from "./RunExchanges.tsx"
import { useRunName } from "./useRunName.ts"

/** The report of a run. */
export function ReportPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string }
  const report = useQuery(reportQuery(id))
  const name = useRunName(report.data)
  if (report.data === undefined || name === undefined)
    return (
      <Page title="Report">
        {report.data === undefined ? <Shown of={report}>{() => null}</Shown> : <Loading />}
      </Page>
    )
  return <Report report={report.data} name={name} problem={report.isError ? report.error : undefined} />
}

const tabs = [
  ["checks", "Checks"],
  ["exchanges", "Exchanges"],
  ["compare", "Compare"]
] as const

function Report({
  name,
  problem,
  report
}: {
  readonly report: RunReport
  readonly name: string
  readonly problem: unknown
}) {
  const running = isOpen(report.status)
  const { waitingFor } = report
  const [view] = useView()
  const tab = running ? "checks" : tabOf(tabs, view)
  const results = useQuery(checksQuery(report._id, report.revision, running))
  const document = useQuery({ ...documentQuery(report._id), enabled: !running })
  return (
    <Page
      title={name}
      lead={
        <span className="row">
          <Link to="/connections/$id" params={{ id: report.connectionId }}>
            {report.connectionLabel}
          </Link>
          <span>OCPI {report.ocpiVersion}</span>
          {report.profile === undefined ? null : <span>{report.profile} profile</span>}
          <Time at={report.startedAt ?? report.createdAt} />
          {report.startedAt !== null && report.finishedAt !== null ? (
            <span>took {duration(Date.parse(report.finishedAt) - Date.parse(report.startedAt))}</span>
          ) : null}
        </span>
      }
      actions={<RunActions report={report} running={running} />}
    >
      {problem === undefined ? null : <Failure error={problem} />}
      <Verdict report={report} reason={document.data?.reason ?? undefined} turns={document.data?.turns} />
      {results.data !== undefined && isRegistrationLost(results.data) ? (
        <RegistrationLost connectionId={report.connectionId} />
      ) : null}
      {running ? (
        // It has its place when nothing is awaited, too: what stands below it stays where it is.
        <WaitingPanel
          wait={
            waitingFor === undefined
              ? undefined
              : {
                  ...waitingFor,
                  // A journey that waits is in a state of its own; a conformance run waits while it goes on.
                  since: waitingFor.since ?? (report.status === "waiting" ? report.stateSince : undefined),
                  curl: waitingFor.expects?.curl
                }
          }
        />
      ) : null}
      {document.data === undefined || document.data.leftBehind.length === 0 ? null : (
        <div className="note warn">
          <p>Left at the partner; these requests would undo it:</p>
          <ul className="mono">
            {document.data.leftBehind.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      {running ? null : <Tabs label="Parts of the report" tabs={tabs} without={["exchange", "place"]} />}
      {tab === "compare" ? (
        <Comparison report={report} />
      ) : tab === "exchanges" ? (
        <Shown of={document}>{({ exchanges }) => <RunExchanges exchanges={exchanges} />}</Shown>
      ) : (
        <>
          {results.isError ? <Failure error={results.error} retry={() => void results.refetch()} /> : null}
          {results.data === undefined ? (
            results.isError ? null : (
              <Loading />
            )
          ) : (
            <Checks
              report={report}
              checks={results.data}
              document={document.data}
              reading={document.isLoading}
            />
          )}
        </>
      )}
    </Page>
  )
}
