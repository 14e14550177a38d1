/** Placement by leases: columns of table `run`, and the rows of processes (presence/). */
import { Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { Locks } from "../database/Locks.ts"
import { Notifications } from "../database/Notifications.ts"
import { SharedTime } from "../database/SharedTime.ts"
import { makeCarryOn } from "./carryOn.ts"
import { leaseBeat, makeLeases } from "./leases.ts"
import { Placement } from "./Placement.ts"
import { Heartbeats } from "./presence/Heartbeats.ts"
import { Presence } from "./presence/Presence.ts"

/** `leaseSeconds`: term of a lease, by the database's clock; may be a fraction. */
const layer = ({ leaseSeconds }: { readonly leaseSeconds: number }) =>
  Layer.scoped(
    Placement,
    Effect.gen(function* () {
      const { attempt } = yield* Database
      const presence = yield* Presence
      const { withLock } = yield* Locks
      const { stop } = yield* Notifications
      const owner = presence.processId
      const { age, put, remove } = yield* (yield* Heartbeats).start("leases", leaseBeat(owner, leaseSeconds))
      return Placement.of({
        ...presence,
        ...makeLeases({ query: attempt, time: yield* SharedTime, leaseSeconds, owner }),
        keeper: { put: (run) => put(run.runId, run), remove, age },
        stop,
        carryOn: makeCarryOn({ ...presence, withLock })
      })
    })
  )

/** The Postgres adapter of the `Placement` port. */
export const PlacementPostgres = { layer }
