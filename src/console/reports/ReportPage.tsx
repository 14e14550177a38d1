import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useMemo } from "react"
import type { Assertion, RunReport } from "../../client/plugfest.ts"
import { client } from "../data/client.ts"
import { checksQuery, documentQuery, isOpen, queries, reportQuery } from "../data/queries.ts"
import { Page } from "../elements/Page.tsx"
import { Empty, Failure, Loading, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useKeys } from "../elements/useKeys.ts"
import { useView } from "../elements/useView.ts"
import { duration } from "../format/time.ts"
import { inWords } from "../format/words.ts"
import { CheckDetail } from "./CheckDetail.tsx"
import { CheckList } from "./CheckList.tsx"
import { Exports } from "./Exports.tsx"
import { countOutcomes, filterChecks, outcomes, step, stepFailure, toggleOutcome } from "./groupChecks.ts"
import { Causes, Modules, Verdict } from "./ReportSummary.tsx"

/** The report of a run. */
export function ReportPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string }
  const report = useQuery(reportQuery(id))
  if (report.data === undefined)
    return (
      <Page title="Report">
        <Shown of={report}>{() => null}</Shown>
      </Page>
    )
  return <Report report={report.data} problem={report.isError ? report.error : undefined} />
}

function Report({ problem, report }: { readonly report: RunReport; readonly problem: unknown }) {
  const running = isOpen(report.status)
  const [view, change] = useView()
  const results = useQuery(checksQuery(report._id, report.revision, running))
  const document = useQuery({ ...documentQuery(report._id), enabled: !running })
  const checks = results.data ?? none
  const shown = useMemo(
    () => filterChecks(checks, { outcome: view["outcome"], module: view["module"], text: view["q"] }),
    [checks, view["outcome"], view["module"], view["q"]]
  )
  const selected = checks.find(({ id }) => id === view["check"])
  const select = (check: string | undefined) => change({ check })
  const ids = shown.map(({ id }) => id)
  useKeys({
    j: () => select(step(ids, selected?.id, 1)),
    k: () => select(step(ids, selected?.id, -1)),
    f: () => select(stepFailure(checks, selected?.id, 1) ?? selected?.id),
    F: () => select(stepFailure(checks, selected?.id, -1) ?? selected?.id)
  })
  const title = document.data?.name ?? report.suiteId ?? report.templateId ?? "Report"
  return (
    <Page
      title={title}
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
      actions={<Actions report={report} running={running} />}
    >
      {problem === undefined ? null : <Failure error={problem} />}
      <Verdict
        report={report}
        reason={document.data?.reason ?? undefined}
        first={checks.find(({ outcome }) => outcome === "failed")}
        select={select}
      />
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
      {results.isError ? <Failure error={results.error} retry={() => void results.refetch()} /> : null}
      {results.data === undefined ? (
        results.isError ? null : (
          <Loading />
        )
      ) : (
        <>
          <Causes checks={checks} select={select} />
          <Modules checks={checks} chosen={view["module"]} choose={(module) => change({ module })} />
          <section className="stack" aria-label="Checks">
            <Filters checks={checks} />
            {shown.length === 0 ? (
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
            ) : (
              <div className={`report-panes ${selected === undefined ? "" : "chosen"}`}>
                <CheckList checks={shown} selected={selected?.id} select={select} />
                {selected === undefined ? (
                  <p className="empty card">
                    Choose a check.{" "}
                    <span>
                      <kbd>j</kbd> and <kbd>k</kbd> step through them, <kbd>f</kbd> goes to the next failure.
                    </span>
                  </p>
                ) : (
                  <CheckDetail
                    key={selected.id}
                    check={selected}
                    exchanges={document.data?.exchanges}
                    reading={document.isLoading}
                    onClose={() => select(undefined)}
                  />
                )}
              </div>
            )}
          </section>
        </>
      )}
    </Page>
  )
}

const none: ReadonlyArray<Assertion> = []

/** Chips that filter by outcome, and the search; both stand in the URL. */
function Filters({ checks }: { readonly checks: ReadonlyArray<Assertion> }) {
  const [view, change] = useView()
  const counts = countOutcomes(checks)
  const wanted = view["outcome"]?.split(".") ?? []
  return (
    <div className="row">
      <div className="chips" role="group" aria-label="Outcomes">
        {outcomes
          .filter((outcome) => counts[outcome] !== undefined)
          .map((outcome) => (
            <button
              key={outcome}
              type="button"
              className="chip"
              aria-pressed={wanted.includes(outcome)}
              onClick={() => change({ outcome: toggleOutcome(view["outcome"], outcome) })}
            >
              {inWords(outcome)} <b>{counts[outcome]}</b>
            </button>
          ))}
      </div>
      <input
        type="search"
        className="search"
        aria-label="Search checks"
        placeholder="Search id, title, message"
        value={view["q"] ?? ""}
        onChange={(event) => change({ q: event.target.value })}
      />
      {view["module"] === undefined ? null : (
        <button
          type="button"
          className="chip"
          aria-pressed="true"
          onClick={() => change({ module: undefined })}
        >
          {view["module"]} ×
        </button>
      )}
    </div>
  )
}

function Actions({ report, running }: { readonly report: RunReport; readonly running: boolean }) {
  const navigate = useNavigate()
  const cancel = useMutation({
    mutationFn: () => client.testing.cancelRun({ path: { id: report._id } }),
    onSuccess: (data) => queries.setQueryData(reportQuery(report._id).queryKey, data)
  })
  const again = useMutation({
    mutationFn: (only: string | undefined) =>
      client.testing.startRun({
        body: {
          connectionId: report.connectionId,
          suiteId: report.suiteId!,
          ...(report.profile === undefined ? {} : { profile: report.profile }),
          ...(only === undefined ? {} : { only })
        }
      }),
    onSuccess: ({ _id }) => navigate({ to: "/runs/$id", params: { id: _id } })
  })
  const error = cancel.error ?? again.error
  return (
    <>
      {report.kind === "journey" ? (
        <Link to="/journeys/$id" params={{ id: report.runId }} className="button">
          Ledger and machine
        </Link>
      ) : null}
      {running ? (
        report.kind === "conformance" ? (
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
          {report.suiteId !== undefined && report.summary.failed > 0 ? (
            <button
              type="button"
              className="button first"
              disabled={again.isPending}
              onClick={() => again.mutate(`failed-of:${report._id}`)}
            >
              Run the failed ones again
            </button>
          ) : null}
          {report.suiteId === undefined ? null : (
            <button
              type="button"
              className="button"
              disabled={again.isPending}
              onClick={() => again.mutate(undefined)}
            >
              Run all again
            </button>
          )}
          <Exports report={report} />
        </>
      )}
      {error === null ? null : <Failure error={error} />}
    </>
  )
}
