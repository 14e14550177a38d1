import { useQuery } from "@tanstack/react-query"
import { exchangesQuery } from "../data/queries.ts"
import { ExchangeLine, ExchangeView } from "../elements/ExchangeView.tsx"
import { Empty, Shown } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"
import { clockTime } from "../format/time.ts"

const most = 200

/** What was exchanged with the partner outside of runs, such as the handshake, newest first. */
export function Exchanges({ id }: { readonly id: string }) {
  const exchanges = useQuery({ ...exchangesQuery(id), refetchInterval: 5_000 })
  const [view, change] = useView()
  const direction = view["direction"]
  return (
    <section className="card stack">
      <div className="row apart">
        <h2>Exchanges</h2>
        <div className="chips" role="group" aria-label="Direction">
          {(["outbound", "inbound"] as const).map((each) => (
            <button
              key={each}
              type="button"
              className="chip"
              aria-pressed={each === direction}
              onClick={() => change({ direction: each === direction ? undefined : each })}
            >
              {each === "outbound" ? "From plugfest" : "From the partner"}
            </button>
          ))}
        </div>
      </div>
      <Shown of={exchanges}>
        {(list) => {
          const shown = list
            .filter((each) => direction === undefined || each.direction === direction)
            .reverse()
          return shown.length === 0 ? (
            <Empty>
              <p>Nothing was exchanged{direction === undefined ? " yet" : " in this direction"}.</p>
            </Empty>
          ) : (
            <ul className="stack tight">
              {shown.slice(0, most).map((exchange) => (
                <li key={exchange.id}>
                  <button
                    type="button"
                    className="exchange-button"
                    aria-expanded={exchange.id === view["exchange"]}
                    onClick={() =>
                      change({ exchange: exchange.id === view["exchange"] ? undefined : exchange.id })
                    }
                  >
                    <span className="mono quiet small">{clockTime(exchange.startedAt)} UTC</span>
                    <ExchangeLine exchange={exchange} />
                  </button>
                  {exchange.id === view["exchange"] ? <ExchangeView exchange={exchange} /> : null}
                </li>
              ))}
              {shown.length > most || list.length === 1000 ? (
                <li className="quiet">
                  These are {Math.min(shown.length, most)} of the first {list.length}. The API has all of
                  them.
                </li>
              ) : null}
            </ul>
          )
        }}
      </Shown>
    </section>
  )
}
