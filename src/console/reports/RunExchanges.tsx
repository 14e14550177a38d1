import { useMemo } from "react"
import type { ReportDocument } from "../data/queries.ts"
import { SearchField } from "../elements/SearchField.tsx"
import { Empty } from "../elements/States.tsx"
import { ExchangeLine, ExchangeView } from "../exchanges/ExchangeView.tsx"
import { filterRunExchanges } from "../exchanges/filterExchanges.ts"
import { clockTime } from "../format/time.ts"
import { count } from "../format/words.ts"
import { useKeys } from "../hooks/useKeys.ts"
import { useView } from "../hooks/useView.ts"
import { ChoiceList } from "./ChoiceList.tsx"
import { step } from "./groupChecks.ts"

/** Every exchange of a run in its order, of which only those in sight are drawn, and the chosen one beside them. */
export function RunExchanges({ exchanges }: { readonly exchanges: ReportDocument["exchanges"] }) {
  const [view, change] = useView()
  const parts = useMemo(() => [...new Set(exchanges.flatMap(({ stageId }) => stageId ?? []))], [exchanges])
  const shown = useMemo(
    () =>
      filterRunExchanges(exchanges, { part: view["part"], direction: view["direction"], text: view["q"] }),
    [exchanges, view["part"], view["direction"], view["q"]]
  )
  const ids = shown.map(({ exchange: { id } }) => id)
  const open = exchanges.find(({ exchange: { id } }) => id === view["exchange"])?.exchange
  const select = (exchange: string | undefined) => change({ exchange })
  useKeys({ j: () => select(step(ids, open?.id, 1)), k: () => select(step(ids, open?.id, -1)) })
  return (
    <section className="stack" aria-label="Exchanges">
      <div className="row">
        <label className="row">
          <span>Part</span>
          <select
            className="narrow"
            value={view["part"] ?? ""}
            onChange={(event) => change({ part: event.target.value })}
          >
            <option value="">All</option>
            {parts.map((part) => (
              <option key={part}>{part}</option>
            ))}
          </select>
        </label>
        <label className="row">
          <span>From</span>
          <select
            className="narrow"
            value={view["direction"] ?? ""}
            onChange={(event) => change({ direction: event.target.value })}
          >
            <option value="">Both</option>
            <option value="outbound">plugfest</option>
            <option value="inbound">the partner</option>
          </select>
        </label>
        <SearchField of="exchanges" by="method, URL, status" />
      </div>
      {shown.length === 0 ? (
        <Empty>
          <p>No exchange is like this.</p>
        </Empty>
      ) : (
        <div className={`report-panes ${open === undefined ? "" : "chosen"}`}>
          <ChoiceList
            items={shown}
            idOf={({ exchange }) => exchange.id}
            label={count(shown.length, "exchange")}
            rowHeight={66}
            selected={open?.id}
            select={select}
          >
            {({ exchange, stageId }) => (
              <>
                <span className="small quiet">
                  {clockTime(exchange.startedAt)} UTC{stageId === null ? "" : ` · ${stageId}`}
                </span>
                <ExchangeLine exchange={exchange} />
              </>
            )}
          </ChoiceList>
          {open === undefined ? (
            <p className="empty card">Choose an exchange to see its request and its answer.</p>
          ) : (
            <article className="card stack tight" aria-label="Exchange">
              <div className="row apart">
                <h2>
                  {open.module} <span className="mono">{open.operation}</span>
                </h2>
                <button type="button" className="button small plain" onClick={() => select(undefined)}>
                  Close
                </button>
              </div>
              <ExchangeView exchange={open} />
            </article>
          )}
        </div>
      )}
    </section>
  )
}
