import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { RunReport } from "../../client/plugfest.ts"
import type { Answer } from "../data/queries.ts"
import { comparisonQuery, runsBesideQuery } from "../data/reportQueries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Empty, Failure, Loading, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { asPages } from "../format/asPages.ts"
import { shortMessage } from "../format/shortMessage.ts"
import { utcTime } from "../format/time.ts"
import { useView } from "../hooks/useView.ts"
import { type CheckChange, changesOf, earlierRuns, referenceRuns } from "./compareRuns.ts"

/** What has changed since an earlier run with this partner, or is other than with another partner. */
export function Comparison({ report }: { readonly report: RunReport }) {
  const ofPartner = useQuery(runsBesideQuery(report.kind, { connectionId: report.connectionId }))
  const ofVersion = useQuery(runsBesideQuery(report.kind, { ocpiVersion: report.ocpiVersion }))
  const [view, change] = useView()
  if (ofPartner.data === undefined || ofVersion.data === undefined)
    return ofPartner.isError || ofVersion.isError ? (
      <Failure error={ofPartner.error ?? ofVersion.error} />
    ) : (
      <Loading />
    )
  const earlier = earlierRuns(ofPartner.data, report)
  const reference = referenceRuns(ofVersion.data, report)
  const chosen = view["with"] ?? earlier[0]?._id ?? reference[0]?._id
  if (chosen === undefined)
    return (
      <section className="card">
        <Empty>
          <p>There is no earlier run to compare with, neither with this partner nor with another one.</p>
        </Empty>
      </section>
    )
  return (
    <section className="card stack" aria-label="Comparison">
      <label className="row">
        <b>Compare with</b>
        <select className="narrow" value={chosen} onChange={(event) => change({ with: event.target.value })}>
          <Options label="Earlier runs with this partner" runs={earlier} />
          <Options label="The same with other partners" runs={reference} />
          {[...earlier, ...reference].some(({ _id }) => _id === chosen) ? null : (
            <option value={chosen}>{chosen}</option>
          )}
        </select>
      </label>
      <Compared key={chosen} id={report._id} earlierId={chosen} />
    </section>
  )
}

const Options = ({ label, runs }: { readonly label: string; readonly runs: ReadonlyArray<RunReport> }) =>
  runs.length === 0 ? null : (
    <optgroup label={label}>
      {runs.map(({ _id, connectionLabel, createdAt, suiteId, summary, templateId }) => (
        <option key={_id} value={_id}>
          {utcTime(createdAt)} · {suiteId ?? templateId} · {connectionLabel} · {summary.failed} failed
        </option>
      ))}
    </optgroup>
  )

function Compared({ earlierId, id }: { readonly id: string; readonly earlierId: string }) {
  const comparison = useQuery(comparisonQuery(id, earlierId))
  return (
    <Shown of={comparison}>
      {(data) => {
        const { lists, sentences } = changesOf(data)
        return (
          <div className="stack">
            <div className="compared">
              <Side title="Before" run={data.before} />
              <Side title="Now" run={data.after} />
            </div>
            {lists.length === 0 ? <p className="note good">No check has another result.</p> : null}
            {lists.map(([title, list]) => (
              <section key={title} className="stack tight">
                <h2>
                  {title}: {list.length}
                </h2>
                <ul>
                  {list.map((one) => (
                    <Change key={one.id} change={one} />
                  ))}
                </ul>
              </section>
            ))}
            <p className="quiet">{sentences.join(" ")}</p>
          </div>
        )
      }}
    </Shown>
  )
}

const Side = ({
  run: { _id, connectionLabel, createdAt, ocpiVersion, status, suiteId, summary, templateId, verdict },
  title
}: {
  readonly title: string
  readonly run: Answer<"testing.run">
}) => (
  <div className="stack tight">
    <span className="row">
      <b>{title}</b>
      <Badge word={verdict ?? status} />
    </span>
    <span className="small">
      {summary.failed} failed, {summary.warned} warned, {summary.passed} passed
    </span>
    <span className="small quiet">
      <Link to="/runs/$id" params={{ id: _id }}>
        {suiteId ?? templateId ?? "Run"}
      </Link>{" "}
      · {connectionLabel} · OCPI {ocpiVersion} · <Time at={createdAt} />
    </span>
  </div>
)

function Change({ change: { after, before, id, message, title } }: { readonly change: CheckChange }) {
  const [, show] = useView()
  return (
    <li className="changed-check">
      <button
        type="button"
        className="link"
        onClick={() => show({ tab: undefined, check: id }, { push: true })}
      >
        {id}
      </button>
      <div>
        <p>{title}</p>
        {message === undefined ? null : <p className="small">{asPages(shortMessage(message))}</p>}
      </div>
      <span className="row">
        {before === null ? <span className="quiet small">not asked</span> : <Badge word={before} />}
        <span aria-hidden="true">→</span>
        <span className="unseen">then</span>
        {after === null ? <span className="quiet small">not asked</span> : <Badge word={after} />}
      </span>
    </li>
  )
}
