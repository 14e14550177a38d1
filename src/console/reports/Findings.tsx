import type { Assertion } from "../../client/plugfest.ts"
import { asPages } from "../format/asPages.ts"
import { count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { placeIdOf } from "./placesOf.ts"

const mostPlaces = 50

/** Each kind of finding with its places; a place opens its exchange, with the place marked. */
export function Findings({
  check: { expected: expectedOfCheck, findings = [], hint: hintOfCheck }
}: {
  readonly check: Assertion
}) {
  const [view, change] = useView()
  if (findings.length === 0) return null
  return (
    <section className="stack tight">
      <h3>
        {count(
          findings.reduce((sum, each) => sum + each.count, 0),
          "finding"
        )}
      </h3>
      {findings.map(({ count: many, expected, hint, message, places }, kind) => (
        <details
          key={message}
          open={(findings.length === 1 && many < 6) || view["place"]?.startsWith(`${kind}.`) === true}
        >
          <summary>
            {many > 1 ? `${many} × ` : ""}
            {message}
          </summary>
          {expected === undefined || expected === expectedOfCheck ? null : (
            <p className="small">Expected: {expected}</p>
          )}
          {hint === undefined || hint === hintOfCheck ? null : <p className="small quiet">{asPages(hint)}</p>}
          <ul className="stack tight places">
            {places.slice(0, mostPlaces).map(({ actual, exchangeId, object, pointer }, at) => {
              const id = placeIdOf(kind, at)
              return (
                <li key={id}>
                  <button
                    type="button"
                    className="place"
                    aria-pressed={view["place"] === id}
                    disabled={exchangeId === undefined}
                    onClick={() => change({ place: id, exchange: exchangeId })}
                  >
                    {object === undefined ? null : <b>{object} </b>}
                    <span className="mono">{pointer === "" ? "the whole body" : pointer}</span>
                    {actual === undefined ? null : <span> seen: {actual}</span>}
                  </button>
                </li>
              )
            })}
            {many > mostPlaces ? <li className="quiet">And {many - mostPlaces} more.</li> : null}
          </ul>
        </details>
      ))}
    </section>
  )
}
