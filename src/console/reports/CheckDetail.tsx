import type { Assertion, RunReport } from "../../client/plugfest.ts"
import type { ReportDocument } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { CopyBlock } from "../elements/Copy.tsx"
import { ExchangeLine, ExchangeView } from "../elements/ExchangeView.tsx"
import { Loading } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"
import { count, inWords } from "../format/words.ts"
import { CheckLinks } from "./Causes.tsx"
import { CheckHistory } from "./CheckHistory.tsx"

const mostExchanges = 20

/** One check: the rule, expected against seen, each place, the exchanges that were judged, and how to repeat it. */
export function CheckDetail({
  check,
  exchanges,
  onClose,
  reading,
  report
}: {
  readonly report: RunReport
  readonly check: Assertion
  readonly exchanges: ReportDocument["exchanges"] | undefined
  readonly reading: boolean
  readonly onClose: () => void
}) {
  const [, change] = useView()
  const { actual, blockedBy, curl, expected, hint, message, note, partnerSaid, pointer, reason } = check
  const blocking = blockedBy?.exchangeId === undefined ? [] : [blockedBy.exchangeId]
  const exchangeIds = [...new Set([...(check.exchangeIds ?? []), ...blocking])]
  return (
    <article className="card stack check-detail" aria-label={check.id}>
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
        <p className="quiet small">{check.reference}</p>
      </header>
      {message === undefined ? null : <p className="note">{message}</p>}
      {reason === undefined ? null : <p className="note">{reason}</p>}
      {blockedBy?.check === undefined || blockedBy.check === check.id ? null : (
        <p>
          It could not be judged because of what{" "}
          <CheckLinks ids={[blockedBy.check]} select={(id) => change({ check: id })} /> reports.
        </p>
      )}
      {check.attribution === undefined ? null : (
        <p className="quiet small">Decided by: {inWords(check.attribution)}</p>
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
          {hint}
        </p>
      )}
      {note === undefined ? null : <p className="quiet">{note}</p>}
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
      <CheckHistory check={check} report={report} />
    </article>
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

/** Each kind of finding with its places. */
function Findings({ check: { findings = [] } }: { readonly check: Assertion }) {
  if (findings.length === 0) return null
  return (
    <section className="stack tight">
      <h3>
        {count(
          findings.reduce((sum, each) => sum + each.count, 0),
          "finding"
        )}
      </h3>
      {findings.map((kind) => (
        <details key={kind.message} open={findings.length === 1 && kind.count < 6}>
          <summary>
            {kind.count > 1 ? `${kind.count} × ` : ""}
            {kind.message}
          </summary>
          <ul className="stack tight places">
            {kind.places.slice(0, 50).map((place) => (
              <li key={`${place.exchangeId} ${place.pointer} ${place.object}`}>
                {place.object === undefined ? null : <b>{place.object} </b>}
                <span className="mono">{place.pointer === "" ? "the whole body" : place.pointer}</span>
                {place.actual === undefined ? null : <span> seen: {place.actual}</span>}
              </li>
            ))}
            {kind.places.length > 50 ? <li className="quiet">And {kind.places.length - 50} more.</li> : null}
          </ul>
        </details>
      ))}
    </section>
  )
}

function Evidence({
  check,
  exchanges,
  ids,
  pointer
}: {
  readonly check: Assertion
  readonly exchanges: ReportDocument["exchanges"]
  readonly ids: ReadonlyArray<string>
  readonly pointer: string | undefined
}) {
  const [view, change] = useView()
  const judged = ids.flatMap((id) => exchanges.find(({ exchange }) => exchange.id === id)?.exchange ?? [])
  const places = (check.findings ?? []).flatMap((kind) => kind.places)
  const guilty = places.find(({ exchangeId }) => exchangeId !== undefined)
  const openId =
    judged.find(({ id }) => id === view["exchange"])?.id ??
    judged.find(({ id }) => id === guilty?.exchangeId)?.id ??
    judged[0]?.id
  return (
    <ul className="stack tight">
      {judged.slice(0, mostExchanges).map((exchange) => (
        <li key={exchange.id}>
          <button
            type="button"
            className="exchange-button"
            aria-expanded={exchange.id === openId}
            onClick={() => change({ exchange: exchange.id })}
          >
            <ExchangeLine exchange={exchange} />
          </button>
          {exchange.id === openId ? (
            <ExchangeView
              exchange={exchange}
              pointer={places.find(({ exchangeId }) => exchangeId === exchange.id)?.pointer ?? pointer}
            />
          ) : null}
        </li>
      ))}
      {judged.length > mostExchanges ? (
        <li className="quiet">And {judged.length - mostExchanges} more, in the HAR export.</li>
      ) : null}
    </ul>
  )
}
