/** What a report is looked at beside: other runs, and the results of a check in them. */
import { queryOptions } from "@tanstack/react-query"
import type { RunReport } from "../../client/plugfest.ts"
import { client } from "./client.ts"
import type { Connection } from "./queries.ts"

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
