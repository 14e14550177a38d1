/** Placement by the rows of processes (presence/), at which those of runs point. */
import { Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { Locks } from "../database/Locks.ts"
import { Notifications } from "../database/Notifications.ts"
import { SharedTime } from "../database/SharedTime.ts"
import { makeCarryOn } from "./carryOn.ts"
import { makeLeases } from "./leases.ts"
import { Placement } from "./Placement.ts"
import { Presence } from "./presence/Presence.ts"

/** `leaseSeconds`: how long a process counts as alive, as `Presence` has it. */
const layer = ({ leaseSeconds }: { readonly leaseSeconds: number }) =>
  Layer.scoped(
    Placement,
    Effect.gen(function* () {
      const { attempt } = yield* Database
      const presence = yield* Presence
      const { withLock } = yield* Locks
      const { stop } = yield* Notifications
      const owner = presence.processId
      return Placement.of({
        ...presence,
        ...makeLeases({ query: attempt, time: yield* SharedTime, leaseSeconds, owner }),
        stop,
        carryOn: makeCarryOn({ ...presence, withLock })
      })
    })
  )

/** The Postgres adapter of the `Placement` port. */
export const PlacementPostgres = { layer }
