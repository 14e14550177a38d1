import { useQuery } from "@tanstack/react-query"
import type { Connection } from "../data/queries.ts"
import { recentRunsQuery, runsBesideQuery } from "../data/reportQueries.ts"
import { useNames } from "../data/useNames.ts"
import { duration } from "../format/time.ts"
import { count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { durationOf } from "./durationOf.ts"

/** How long the run may take, by the newest one of this suite; before there is one, by another suite or as a guess. */
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
  const names = useNames()
  const own = useQuery(runsBesideQuery("conformance", { connectionId }))
  const all = useQuery(runsBesideQuery("conformance", { ocpiVersion }))
  const any = useQuery({ ...recentRunsQuery("conformance"), refetchInterval: false })
  if (checks === 0 || own.isPending || all.isPending || any.isPending) return null
  const runs = [...(own.data ?? []), ...(all.data ?? []), ...(any.data ?? [])]
  const { millis, run } = durationOf(runs, {
    suiteId,
    connectionId,
    checks,
    listenSeconds: Number(view["listen"]) || 0
  })
  const partner = run?.connectionId === connectionId ? "with this partner" : `with ${run?.connectionLabel}`
  return (
    <span className="quiet">
      About {duration(millis)},{" "}
      {run === undefined
        ? "an estimate for a partner that answers at once, because no suite has finished yet."
        : run.suiteId === suiteId
          ? `as the last run ${partner} took for ${count(run.progress.of, "check")}.`
          : `an estimate by the run of ${names.suite(run.suiteId)} ${partner}, because this suite has not finished yet.`}
    </span>
  )
}
