import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query"
import { useMemo } from "react"
import { itemsOf, type ListPage } from "../data/pagesOf.ts"
import type { Exchange } from "../data/queries.ts"
import { Chip, Chips } from "../elements/Chips.tsx"
import { SearchField } from "../elements/SearchField.tsx"
import { ShowOlder } from "../elements/ShowOlder.tsx"
import { Empty, Shown } from "../elements/States.tsx"
import { saveFile } from "../elements/saveFile.ts"
import { clockTime } from "../format/time.ts"
import { count } from "../format/words.ts"
import { ExchangeLine, ExchangeView, type Side } from "./ExchangeView.tsx"
import { filterExchanges, modulesIn } from "./filterExchanges.ts"
import { harOf } from "./harOf.ts"

/** The direction that the view asks for; undefined: both. */
export const directionIn = (view: Readonly<Record<string, string>>): Exchange["direction"] | undefined =>
  (["outbound", "inbound"] as const).find((each) => each === view["direction"])

const names = { plugfest: "From plugfest", partner: "From the partner" }

/** Exchanges newest first, of one direction or both; the one that is chosen is open. */
export function ExchangeList({
  change,
  of,
  side = "plugfest",
  view
}: {
  readonly side?: Side
  readonly of: UseInfiniteQueryResult<InfiniteData<ListPage<Exchange>>>
  readonly view: Readonly<Record<string, string>>
  readonly change: (patch: Readonly<Record<string, string | undefined>>) => void
}) {
  const direction = directionIn(view)
  const read = useMemo(() => itemsOf(of.data), [of.data])
  const shown = filterExchanges(read, { module: view["module"], text: view["q"] })
  const isFiltered = shown.length < read.length
  return (
    <>
      <div className="row">
        <Chips label="Direction">
          {(["outbound", "inbound"] as const).map((each) => (
            <Chip
              key={each}
              isOn={each === direction}
              press={() => change({ direction: each === direction ? undefined : each })}
            >
              {names[(each === "outbound") === (side === "plugfest") ? "plugfest" : "partner"]}
            </Chip>
          ))}
        </Chips>
        <label className="row">
          <span>Module</span>
          <select
            className="narrow"
            value={view["module"] ?? ""}
            onChange={({ target }) => change({ module: target.value })}
          >
            <option value="">All</option>
            {modulesIn(read, view["module"]).map((module) => (
              <option key={module}>{module}</option>
            ))}
          </select>
        </label>
        <SearchField of="exchanges" by="method, URL, status" />
        <button
          type="button"
          className="button small"
          disabled={shown.length === 0}
          onClick={() => saveFile(harOf(shown), "exchanges.har", "application/json")}
        >
          Save as HAR
        </button>
      </div>
      <Shown of={of}>
        {() =>
          read.length === 0 ? (
            <Empty>
              <p>Nothing was exchanged{direction === undefined ? " yet" : " in this direction"}.</p>
            </Empty>
          ) : (
            <>
              {isFiltered ? (
                <p className="quiet small" aria-live="polite">
                  {shown.length} of {count(read.length, "exchange")}
                  {of.hasNextPage ? "; older ones are not read yet" : ""}.
                </p>
              ) : null}
              <ul className="stack tight">
                {shown.map((exchange) => (
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
                      <ExchangeLine exchange={exchange} side={side} />
                    </button>
                    {exchange.id === view["exchange"] ? (
                      <ExchangeView exchange={exchange} side={side} />
                    ) : null}
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Shown>
      <ShowOlder of={of} what="exchanges" />
    </>
  )
}
