/**
 * What a partner's call passes between the check of its token and its answer: rates, a place among those that are served,
 * and only then its body. Which rules there are is not a party's to say.
 */
import { Data, type Effect } from "effect"
import type { Party } from "../store/PartyStore.ts"

/** Nothing is wrong with the call; we do not take it now. Answered with `httpStatus` and Retry-After. */
export class TurnedAway extends Data.TaggedError("TurnedAway")<{
  readonly httpStatus: 429 | 503
  readonly message: string
  readonly retryAfterSeconds: number
}> {}

/** Whose call it is, and whether answering it may mean to call the partner back. */
export interface Visitor {
  readonly party: Pick<Party, "id" | "ownerId">
  readonly callsBack: boolean
}

export interface Door<E> {
  /** Finds out whose call it is. */
  readonly lookUp: <A>(work: Effect.Effect<A>) => Effect.Effect<A, TurnedAway>
  /**
   * Serves a call with its body, unless it is turned away; `visitor` is undefined for one that brings no token of ours. `E`:
   * the body cannot be taken.
   */
  readonly admit: <A>(
    visitor: Visitor | undefined,
    serve: (body: string) => Effect.Effect<A>
  ) => Effect.Effect<A, E | TurnedAway>
}

/** Lets everybody in, with a body that is there already. */
export const openDoor = (body: string): Door<never> => ({
  lookUp: (work) => work,
  admit: (_, serve) => serve(body)
})
