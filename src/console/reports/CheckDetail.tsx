import { useQuery } from "@tanstack/react-query"
import { useRef } from "react"
import type { Assertion, RunReport } from "../../client/plugfest.ts"
import { clauseInWords } from "../../reports/clauseInWords.ts"
import { type ReportDocument, suiteQuery } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { CopyBlock } from "../elements/Copy.tsx"
import { Loading } from "../elements/States.tsx"
import { asPages } from "../format/asPages.ts"
import { shortMessage } from "../format/shortMessage.ts"
import { attributedTo, count } from "../format/words.ts"
import { type FormerFocus, useInSight } from "../hooks/useInSight.ts"
import { useView } from "../hooks/useView.ts"
import { AcceptLink } from "./Accepted.tsx"
import { CheckLinks } from "./Causes.tsx"
import { CheckHistory } from "./CheckHistory.tsx"
import { Evidence } from "./Evidence.tsx"
import { Findings } from "./Findings.tsx"

/** One check: the rule, expected against seen, each place, the exchanges that were judged, and how to repeat it. */
export function CheckDetail({
  check,
  exchanges,
  formerFocus,
  onClose,
  reading,
  report
}: {
  readonly report: RunReport
  readonly check: Assertion
  readonly exchanges: ReportDocument["exchanges"] | undefined
  readonly formerFocus: FormerFocus
  readonly reading: boolean
  readonly onClose: () => void
}) {
  const [, change] = useView()
  const place = useRef<HTMLElement>(null)
  useInSight(place, { formerFocus, isSettled: exchanges !== undefined })
  const { actual, blockedBy, curl, expected, hint, message, note, partnerSaid, pointer, reason } = check
  const blocking = blockedBy?.exchangeId === undefined ? [] : [blockedBy.exchangeId]
  const exchangeIds = [...new Set([...(check.exchangeIds ?? []), ...blocking])]
  return (
    <article className="card stack check-detail" aria-label={check.id} ref={place} tabIndex={-1}>
      <header className="stack tight">
        <div className="row apart">
          <span className="row">
            <Badge word={check.outcome} />
            <span className="mono">{check.id}</span>
            <span className="quiet">{check.strength.toUpperCase()}</span>
          </span>
          <button type="button" className="button small plain" onClick={onClose}>
            Close
          </button>
        </div>
        <h2>{check.title}</h2>
        <p className="quiet small">{clauseInWords(check.reference)}</p>
        <Rule check={check} report={report} />
      </header>
      {message === undefined ? null : (
        <p className="note">{asPages(check.findings === undefined ? message : shortMessage(message))}</p>
      )}
      {reason === undefined ? null : <p className="note">{asPages(reason)}</p>}
      {blockedBy?.check === undefined || blockedBy.check === check.id ? null : (
        <p>
          It could not be judged because of what{" "}
          <CheckLinks ids={[blockedBy.check]} select={(id) => change({ check: id })} /> reports.
        </p>
      )}
      {check.attribution === undefined ? null : (
        <p className="quiet small">{attributedTo(check.attribution)}</p>
      )}
      {expected === undefined && actual === undefined ? null : (
        <div className="columns">
          <Side title="Expected" text={expected} />
          <Side title="Seen" text={actual} />
        </div>
      )}
      {partnerSaid === undefined ? null : <Side title="The partner says" text={partnerSaid} />}
      {hint === undefined ? null : (
        <p>
          <b>What to change: </b>
          {asPages(hint)}
        </p>
      )}
      {note === undefined || message?.includes(note) === true ? null : (
        <p className="quiet">{asPages(note)}</p>
      )}
      {check.ambiguity === undefined ? null : (
        <div className="note warn">
          <p>OCPI can be read in two ways here ({check.ambiguity.section}):</p>
          <ol>
            {check.ambiguity.readings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        </div>
      )}
      <Findings check={check} />
      {exchangeIds.length === 0 ? null : (
        <section className="stack tight">
          <h3>
            {blockedBy === undefined
              ? `${count(exchangeIds.length, "exchange")} judged`
              : `What keeps it from being judged: ${count(exchangeIds.length, "exchange")}`}
          </h3>
          {exchanges === undefined ? (
            reading ? (
              <Loading />
            ) : (
              <p className="quiet">Shown when the run has ended.</p>
            )
          ) : (
            <Evidence exchanges={exchanges} ids={exchangeIds} check={check} pointer={pointer} />
          )}
        </section>
      )}
      {curl === undefined ? null : (
        <section className="stack tight">
          <h3>Repeat it</h3>
          <CopyBlock text={curl} />
        </section>
      )}
      <div className="row">
        <AcceptLink check={check} report={report} />
      </div>
      <CheckHistory check={check} report={report} />
    </article>
  )
}

/** What passes, and why it matters, as the suite has it; nothing of a journey's rule, which its title says. */
function Rule({ check, report: { suiteId } }: { readonly check: Assertion; readonly report: RunReport }) {
  const suite = useQuery({ ...suiteQuery(suiteId ?? ""), enabled: suiteId !== undefined })
  const rule = suite.data?.checks.find(({ id }) => id === check.id)
  if (rule === undefined) return null
  return (
    <>
      <p className="small">Passes: {asPages(rule.passes)}</p>
      {rule.whyItMatters === undefined ? null : (
        <p className="small">
          <b>Why it matters: </b>
          {rule.whyItMatters}
        </p>
      )}
    </>
  )
}

const Side = ({ text, title }: { readonly title: string; readonly text: string | undefined }) =>
  text === undefined ? null : (
    <div className="stack tight">
      <h3>{title}</h3>
      <pre className="code" tabIndex={0}>
        {text}
      </pre>
    </div>
  )
