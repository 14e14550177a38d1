import { Effect } from "effect"
import type { Locks } from "../database/Locks.ts"
import { traced } from "../telemetry/traced.ts"
import type { Placement, WorkRecord } from "./Placement.ts"

/** What `carryOn` needs of a process. */
interface CarryOnOptions extends Pick<Placement["Type"], "processId" | "living"> {
  readonly withLock: Locks["Type"]["withLock"]
}

/** The method of `Placement`: a record that names no living process is taken, under a lock of that name. */
export const makeCarryOn = ({ living, processId, withLock }: CarryOnOptions): Placement["Type"]["carryOn"] =>
  traced("Placement.carryOn")(function* <R>(
    name: string,
    look: Effect.Effect<WorkRecord<R> | undefined, never, R>
  ) {
    /** Undefined: the work can be taken. */
    const isOurs = (by: string | undefined) =>
      by === undefined
        ? Effect.succeed(undefined)
        : Effect.map(living, (ids) => (ids.has(by) ? by === processId : undefined))
    const take = Effect.gen(function* () {
      // What else the record says may change meanwhile.
      for (;;) {
        const found = yield* look
        if (found === undefined) return false
        const ours = yield* isOurs(found.by)
        if (ours !== undefined) return ours
        if (yield* found.take) return true
      }
    })
    // A look before the lock, because most records name another living process.
    const found = yield* look
    if (found === undefined) return false
    return (yield* isOurs(found.by)) ?? (yield* withLock(name, take))
  })
