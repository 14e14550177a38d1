import { useInfiniteQuery } from "@tanstack/react-query"
import { sandboxExchangePagesQuery } from "../data/queries.ts"
import { directionIn, ExchangeList } from "../exchanges/ExchangeList.tsx"
import { useView } from "../hooks/useView.ts"

/** What a sandbox partner is asked and asks, newest first, as it comes. */
export function Requests({ id }: { readonly id: string }) {
  const [view, change] = useView()
  const exchanges = useInfiniteQuery({
    ...sandboxExchangePagesQuery(id, directionIn(view)),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 3_000)
  })
  return (
    <section className="stack tight" aria-label="Requests">
      <ExchangeList of={exchanges} side="partner" view={view} change={change} />
    </section>
  )
}
