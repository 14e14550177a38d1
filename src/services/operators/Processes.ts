/** The processes of the service, and which of them works on which of the caller's runs. */
import { Context, Effect, Layer } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { Unavailable } from "../../../schema/Errors.ts"
import type { RunLease, ServiceProcess } from "../../../schema/Machine.ts"
import { type LeaseQuery, Placement } from "../../placement/Placement.ts"
import { traced } from "../../telemetry/traced.ts"
import { orUnavailable } from "../requests/unavailable.ts"
import { allPages } from "./allPages.ts"

/** Lists processes and leases. Runs of other accounts are neither listed nor counted; only the metrics count over all. */
export class Processes extends Context.Tag("services/Processes")<
  Processes,
  {
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<ServiceProcess>, Unavailable>
    readonly leases: (
      caller: Caller,
      page: Omit<LeaseQuery, "ownerId">
    ) => Effect.Effect<ReadonlyArray<RunLease>, Unavailable>
  }
>() {
  static readonly layer: Layer.Layer<Processes, never, Placement> = Layer.effect(
    Processes,
    Effect.gen(function* () {
      const placement = yield* Placement

      const leases = traced("Processes.leases")(({ ownerId }: Caller, page: Omit<LeaseQuery, "ownerId">) =>
        orUnavailable(placement.leases({ ownerId, ...page }))
      )

      const list = traced("Processes.list")(function* (caller: Caller) {
        const all = yield* allPages(
          (page) => leases(caller, page),
          ({ runId }) => runId
        )
        const known = yield* placement.known
        return known.map(({ id, ...process }) => ({
          _id: id,
          ...process,
          runs: all.filter(({ processId, valid }) => valid && processId === id).length
        }))
      })

      return Processes.of({ list, leases })
    })
  )
}
