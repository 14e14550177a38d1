/** The processes of the service, and who works on which run. */
import { queryOptions } from "@tanstack/react-query"
import type { Data } from "../../client/plugfest.ts"
import { client } from "./client.ts"

export type Lease = Data<"machines.leases">[number]

export const processesQuery = () =>
  queryOptions({
    queryKey: ["processes"],
    queryFn: () => client.machines.processes(),
    refetchInterval: 15_000
  })

/** By id of the run: who works on it. */
export const leasesQuery = () =>
  queryOptions({
    queryKey: ["leases"],
    queryFn: async (): Promise<ReadonlyMap<string, Lease>> =>
      new Map(
        (await client.machines.leases({ query: { limit: 1000 } })).map((lease) => [lease.runId, lease])
      ),
    refetchInterval: 15_000
  })
