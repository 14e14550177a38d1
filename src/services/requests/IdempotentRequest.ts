/**
 * What a request with an Idempotency-Key knows of earlier tries. What it makes has the same ids at every try, so that a
 * try whose process died between the row and the answer is found again instead of being done twice.
 */
import { Context, Effect, Option } from "effect"
import { type IdKind, prefixes } from "../../../schema/Ids.ts"
import { newId } from "../../database/newId.ts"

export interface IdempotentRequest {
  /** The ids of all that the request makes, after their prefix: one of each kind. */
  readonly idBody: string
  /** Was it begun before, by somebody who did not live to tell? */
  readonly again: boolean
  /** When it was first begun, by the database's clock; ISO 8601 UTC. */
  readonly since: string
}

/** Undefined: the request came without an Idempotency-Key. */
export class CurrentAttempt extends Context.Reference<CurrentAttempt>()("services/CurrentRepeat", {
  defaultValue: (): IdempotentRequest | undefined => undefined
}) {}

/** The id for the one thing of this kind that the request makes. */
export const idOf = (kind: IdKind): Effect.Effect<string> =>
  Effect.flatMap(CurrentAttempt, (repeat) =>
    repeat === undefined ? newId(kind) : Effect.succeed(`${prefixes[kind]}_${repeat.idBody}`)
  )

/** What `find` finds of an earlier try, by its id; nothing is looked for at the first one. */
export const alreadyMade = <A, E, R>(
  kind: IdKind,
  find: (id: string) => Effect.Effect<Option.Option<A>, E, R>
): Effect.Effect<Option.Option<A>, E, R> =>
  Effect.flatMap(CurrentAttempt, (repeat) =>
    repeat?.again === true ? find(`${prefixes[kind]}_${repeat.idBody}`) : Effect.succeed(Option.none<A>())
  )

/** By how much what this process or another takes for the database's time may be behind it on a busy machine. */
const clockErrorMillis = 1_000

/**
 * Since when an earlier try may have done something, for comparison with times that a process noted; ISO 8601 UTC. None
 * at the first one.
 */
export const triedSince: Effect.Effect<Option.Option<string>> = Effect.map(CurrentAttempt, (repeat) =>
  repeat?.again === true
    ? Option.some(new Date(Date.parse(repeat.since) - clockErrorMillis).toISOString())
    : Option.none()
)
