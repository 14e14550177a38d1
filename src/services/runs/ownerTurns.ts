/**
 * Lets each account do one long work at a time: whatever it asks for beside that waits for its turn, and other accounts do not
 * wait for it.
 */
import { Effect } from "effect"
import type { OwnerId } from "../../../schema/Ids.ts"

/** Runs the work when no other of that account is under way. */
export type InTurn = <A, E, R>(owner: OwnerId, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Turns of their own. An account is forgotten when nothing of it is under way or waits. */
export const makeOwnerTurns = (): InTurn => {
  const held = new Map<OwnerId, { readonly turn: Effect.Semaphore; users: number }>()
  const enter = (owner: OwnerId) =>
    Effect.sync(() => {
      const one = held.get(owner) ?? { turn: Effect.unsafeMakeSemaphore(1), users: 0 }
      one.users += 1
      held.set(owner, one)
      return one
    })
  return (owner, work) =>
    Effect.acquireUseRelease(
      enter(owner),
      ({ turn }) => turn.withPermits(1)(work),
      (one) =>
        Effect.sync(() => {
          one.users -= 1
          if (one.users === 0) held.delete(owner)
        })
    )
}
