import type { Assertion } from "../../client/plugfest.ts"
import type { ReportDocument } from "../data/queries.ts"
import { ExchangeLine, ExchangeView } from "../exchanges/ExchangeView.tsx"
import { useView } from "../hooks/useView.ts"
import { firstPlace, placeById } from "./placesOf.ts"

const mostExchanges = 20

/** The exchanges by which a check was judged; the open one has the chosen place marked, or its first. */
export function Evidence({
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
  const chosen = placeById(check, view["place"])
  const judged = ids.flatMap((id) => exchanges.find(({ exchange }) => exchange.id === id)?.exchange ?? [])
  const guilty = firstPlace(check)
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
            onClick={() => change({ exchange: exchange.id, place: undefined })}
          >
            <ExchangeLine exchange={exchange} />
          </button>
          {exchange.id === openId ? (
            <ExchangeView
              exchange={exchange}
              pointer={
                (chosen?.exchangeId === exchange.id ? chosen : firstPlace(check, exchange.id))?.pointer ??
                pointer
              }
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
