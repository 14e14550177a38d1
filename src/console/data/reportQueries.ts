/** Lists of runs, and what a report is looked at beside: other runs, and the results of a check in them. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import type { RunReport } from "../../client/plugfest.ts"
import { client } from "./client.ts"
import { pagesOf } from "./pagesOf.ts"
import type { Connection } from "./queries.ts"

/** Runs of one partner, kind or verdict; absent: of all. */
export interface RunFilter {
  readonly connectionId?: string
  readonly kind?: RunReport["kind"]
  readonly verdict?: NonNullable<RunReport["verdict"]>
}

/** All runs of a filter, newest first, page by page; those of the first page are kept up to date while it is the only one. */
export const runPagesQuery = (filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: ["runs", "pages", filter],
    ...pagesOf(
      50,
      (page): Promise<ReadonlyArray<RunReport>> => client.testing.runs({ query: { ...page, ...filter } }),
      ({ _id }) => _id
    ),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 10_000)
  })

/** How many of the newest runs one answer has. */
export const mostRecent = 100
/** The newest runs of a kind with all partners. */
export const recentRunsQuery = (kind: RunReport["kind"]) =>
  queryOptions({
    queryKey: ["runs", "recent", kind],
    queryFn: () => client.testing.runs({ query: { kind, limit: mostRecent } }),
    refetchInterval: 15_000
  })

/** The newest run of a kind with a partner, or none; without a kind its 25 newest runs, among which mostly is one of each. */
export const lastRunsQuery = (connectionId: string, kind: RunReport["kind"] | undefined) =>
  queryOptions({
    queryKey: ["runs", "last", connectionId, kind ?? "both"],
    queryFn: () =>
      client.testing.runs({
        query: { connectionId, ...(kind === undefined ? { limit: 25 } : { kind, limit: 1 }) }
      }),
    staleTime: 30_000
  })

/** The newest runs of a kind: of one partner, or of all partners of a version. */
export const runsBesideQuery = (
  kind: RunReport["kind"],
  of: { readonly connectionId: string } | { readonly ocpiVersion: Connection["ocpiVersion"] }
) =>
  queryOptions({
    queryKey: ["runs", "beside", kind, of],
    queryFn: () => client.testing.runs({ query: { kind, limit: 100, ...of } }),
    staleTime: 30_000
  })

/** Two runs, check by check. Both are over: the answer never changes. */
export const comparisonQuery = (id: string, earlierId: string) =>
  queryOptions({
    queryKey: ["report", id, "compare", earlierId],
    queryFn: () => client.testing.compareRuns({ path: { id }, query: { with: earlierId } }),
    staleTime: Number.POSITIVE_INFINITY
  })

/** The results of a run that is over, of one module or, where checks have none, of all. */
export const resultsQuery = (id: string, module: string | undefined) =>
  queryOptions({
    queryKey: ["report", id, "results", module ?? "all"],
    queryFn: () => client.testing.checks({ path: { id }, query: module === undefined ? {} : { module } }),
    staleTime: Number.POSITIVE_INFINITY
  })
