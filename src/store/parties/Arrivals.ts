/** Wake-ups within this process for those who wait until a party is called. They carry no data. */
import { Effect, type Scope } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"

/** Who is told when a party is called. */
export interface Arrivals {
  /**
   * Until the scope closes, `heard` is called within each call of a party, so it has to be quick: most calls are of parties that nobody
   * waits for.
   */
  readonly hear: (heard: (id: PartyId) => void) => Effect.Effect<void, never, Scope.Scope>
  readonly tell: (id: PartyId) => Effect.Effect<void>
}

/** Nobody hears as yet. */
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
    tell: (id) =>
      Effect.sync(() => {
        for (const heard of all) heard(id)
      })
  }
}
