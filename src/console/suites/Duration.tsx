import { useQuery } from "@tanstack/react-query"
import type { Connection } from "../data/queries.ts"
import { runsBesideQuery } from "../data/reportQueries.ts"
import { useView } from "../elements/useView.ts"
import { duration } from "../format/time.ts"
import { count } from "../format/words.ts"
import { durationOf } from "./durationOf.ts"

/** How long the run may take, by the newest one of this suite. */
export function Duration({
  checks,
  connection: { _id: connectionId, ocpiVersion },
  suiteId
}: {
  readonly connection: Connection
  readonly suiteId: string
  readonly checks: number
}) {
  const [view] = useView()
  const own = useQuery(runsBesideQuery("conformance", { connectionId }))
  const all = useQuery(runsBesideQuery("conformance", { ocpiVersion }))
  const runs = [...(own.data ?? []), ...(all.data ?? [])]
  const estimate = durationOf(runs, suiteId, connectionId, checks, Number(view["listen"]) || 0)
  if (estimate === undefined || checks === 0) return null
  const { millis, run } = estimate
  return (
    <span className="quiet">
      About {duration(millis)}, as the last run{" "}
      {run.connectionId === connectionId ? "with this partner" : `with ${run.connectionLabel}`} took for{" "}
      {count(run.progress.of, "check")}.
    </span>
  )
}
