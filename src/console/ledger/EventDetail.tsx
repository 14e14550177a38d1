import type { LedgerEvent } from "../../client/plugfest.ts"
import { Badge } from "../elements/Badge.tsx"
import { Copy } from "../elements/Copy.tsx"
import { Body, ExchangeView } from "../exchanges/ExchangeView.tsx"
import { utcTimeWithMillis } from "../format/time.ts"
import { nameOfId } from "../format/words.ts"
import { lineOf } from "./eventText.ts"

/** One event with its exchange, its assertions and its line as it is stored. */
export function EventDetail({
  event,
  onClose
}: {
  readonly event: LedgerEvent
  readonly onClose: () => void
}) {
  const text = JSON.stringify(event)
  return (
    <article className="card stack" aria-label={`Event ${event.sequence}`}>
      <div className="row apart">
        <h2>
          Event {event.sequence}: {lineOf(event)}
        </h2>
        <button type="button" className="button small plain" onClick={onClose}>
          Close
        </button>
      </div>
      <p className="quiet">
        <span className="mono">{event.type}</span> · {utcTimeWithMillis(event.occurredAt)}
        {event.stageId === undefined ? "" : ` · stage “${nameOfId(event.stageId)}”`}
      </p>
      {event.assertions.length === 0 ? null : (
        <ul className="stack tight">
          {event.assertions.map(({ actual, expected, id, message, outcome, title }) => (
            <li key={id} className="cause">
              <Badge word={outcome} />
              <div>
                <p>{title}</p>
                {message === undefined ? null : <p>{message}</p>}
                {expected === undefined ? null : <p className="small quiet">Expected: {expected}</p>}
                {actual === undefined ? null : <p className="small quiet">Seen: {actual}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
      {"exchange" in event ? <ExchangeView exchange={event.exchange} /> : null}
      <details>
        <summary>The event as JSON</summary>
        <div className="stack tight">
          <div>
            <Copy text={text} />
          </div>
          <Body text={text} />
        </div>
      </details>
    </article>
  )
}
