/** The background work of this process's charge points: one fiber for each session or reservation, and how to wake it. */
import { type Duration, Effect, FiberMap, Queue, type Scope } from "effect"
import type { PartyId } from "../../../../schema/Ids.ts"
import { makeSimulationClaims, type SimulationClaims } from "./claims.ts"
import type { Pushing } from "./pushes.ts"

/** The services of the simulation. */
export type Simulated = Pushing | Scope.Scope

/** Runs the background work of simulated parties, each under a key. */
export interface Engine extends SimulationClaims {
  /** Runs the work in the background; does nothing when work with that key is running. */
  readonly start: (
    key: string,
    run: Effect.Effect<void, never, Simulated>
  ) => Effect.Effect<void, never, Simulated>
  /** Ends the sleep of that key, or the next one. */
  readonly wake: (key: string) => Effect.Effect<void>
  readonly sleep: (key: string, length: Duration.DurationInput) => Effect.Effect<void>
  /** Runs one at a time for each party, so that two commands never take the same EVSE. */
  readonly exclusively: <A, E, R>(party: PartyId, run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** An engine whose fibers end with the scope. */
export const makeEngine: Effect.Effect<Engine, never, Scope.Scope> = Effect.gen(function* () {
  const claims = yield* makeSimulationClaims
  const fibers = yield* FiberMap.make<string>()
  const signals = new Map<string, Queue.Queue<void>>()
  const locks = new Map<PartyId, Effect.Semaphore>()

  const signalOf = (key: string) =>
    Effect.suspend(() => {
      const known = signals.get(key)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.tap(Queue.sliding<void>(1), (signal) => Effect.sync(() => signals.set(key, signal)))
    })
  const lockOf = (party: PartyId) => {
    const lock = locks.get(party) ?? Effect.unsafeMakeSemaphore(1)
    locks.set(party, lock)
    return lock
  }

  return {
    ...claims,
    start: (key, run) =>
      Effect.asVoid(
        FiberMap.run(
          fibers,
          key,
          run.pipe(
            Effect.catchAllCause((cause) =>
              Effect.logError(`The simulation of ${key} failed by an error of ours`, cause)
            ),
            Effect.ensuring(Effect.sync(() => signals.delete(key)))
          ),
          { onlyIfMissing: true }
        )
      ),
    wake: (key) => Effect.flatMap(signalOf(key), (signal) => Effect.asVoid(Queue.offer(signal, undefined))),
    sleep: (key, length) =>
      Effect.flatMap(signalOf(key), (signal) => Effect.race(Effect.sleep(length), Queue.take(signal))),
    exclusively: (party, run) => Effect.suspend(() => lockOf(party).withPermits(1)(run))
  }
})

/** Simulated seconds per real second. */
export const speedOf = (party: { readonly sandbox: { readonly speed: number } | null }): number =>
  party.sandbox?.speed ?? 1
