import { useInfiniteQuery } from "@tanstack/react-query"
import { exchangePagesQuery } from "../data/queries.ts"
import { directionIn, ExchangeList } from "../exchanges/ExchangeList.tsx"
import { useView } from "../hooks/useView.ts"

/** What was exchanged with the partner outside of runs, such as the handshake, newest first. */
export function Exchanges({ id }: { readonly id: string }) {
  const [view, change] = useView()
  const exchanges = useInfiniteQuery({
    ...exchangePagesQuery(id, directionIn(view)),
    // Older pages do not change: only who looks at the newest one asks again.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 5_000)
  })
  return (
    <section className="card stack">
      <h2>Exchanges</h2>
      <ExchangeList of={exchanges} view={view} change={change} />
    </section>
  )
}
