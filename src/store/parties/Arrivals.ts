/** Tells runs of this process that wait for a call of a party that one has come. They read the call itself from the store. */
import { Effect, type Scope } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"

/** Listeners for calls of parties. */
export interface Arrivals {
  /**
   * Until the scope closes, `heard` is called for each call of every party, while that call is being served: it has to return at once,
   * and must not throw.
   */
  readonly hear: (heard: (id: PartyId) => void) => Effect.Effect<void, never, Scope.Scope>
  /** Calls all listeners. */
  readonly tell: (id: PartyId) => void
}

/** Without listeners. */
export const makeArrivals = (): Arrivals => {
  const all = new Set<(id: PartyId) => void>()
  return {
    hear: (heard) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => all.add(heard)),
          () => Effect.sync(() => all.delete(heard))
        )
      ),
    tell: (id) => {
      for (const heard of all) heard(id)
    }
  }
}
