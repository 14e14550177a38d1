/** The newest run of each kind with each connection of a list, in few requests. */
import { useQueries, useQuery } from "@tanstack/react-query"
import type { RunReport } from "../../client/plugfest.ts"
import { lastRunsQuery, mostRecent, recentRunsQuery } from "./reportQueries.ts"

/** What is known of a connection's runs. */
interface LastRuns {
  readonly conformance: RunReport | undefined
  readonly journey: RunReport | undefined
  /** Only lists that were read say that there is none. */
  readonly isRead: boolean
}

const kinds = ["conformance", "journey"] as const

/** By the id of a connection. One answer a kind has the newest runs of most; the other connections are asked for one by one. */
export function useLastRuns(
  connections: ReadonlyArray<{ readonly _id: string }>
): (connectionId: string) => LastRuns {
  const suites = useQuery(recentRunsQuery("conformance"))
  const journeys = useQuery(recentRunsQuery("journey"))
  const recent = { conformance: suites.data, journey: journeys.data }
  const older = connections.flatMap(({ _id }) => {
    const wanted = kinds.filter((kind) => {
      const runs = recent[kind] ?? []
      return runs.length >= mostRecent && runs.every(({ connectionId }) => connectionId !== _id)
    })
    return wanted.length === 0 ? [] : [{ _id, kind: wanted.length === 1 ? wanted[0] : undefined }]
  })
  const asked = useQueries({ queries: older.map(({ _id, kind }) => lastRunsQuery(_id, kind)) })
  return (id) => {
    const at = older.findIndex(({ _id }) => _id === id)
    const own = at === -1 ? [] : asked[at]?.data
    const newest = (kind: RunReport["kind"]) =>
      recent[kind]?.find(({ connectionId }) => connectionId === id) ?? own?.find((run) => run.kind === kind)
    return {
      conformance: newest("conformance"),
      journey: newest("journey"),
      isRead: suites.data !== undefined && journeys.data !== undefined && own !== undefined
    }
  }
}
