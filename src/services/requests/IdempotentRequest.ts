/**
 * The earlier attempts of a request with an Idempotency-Key. Each attempt makes objects with the same ids, so that a later
 * one finds what an earlier one made before its process died, instead of making it twice.
 */
import { Context, Effect, Option } from "effect"
import { type IdKind, prefixes } from "../../../schema/Ids.ts"
import { newId } from "../../database/newId.ts"

/** What is known of the attempts of one request. */
interface IdempotentRequest {
  /** The part after the prefix of the ids that the request makes; at most one object of each kind. */
  readonly idBody: string
  /** An earlier attempt began and ended without an answer. */
  readonly isRetry: boolean
  /** When the first attempt began, by the database's clock; ISO 8601 UTC. */
  readonly since: string
}

/** The attempt that the present request is; undefined without an Idempotency-Key. */
export class CurrentAttempt extends Context.Reference<CurrentAttempt>()("services/CurrentAttempt", {
  defaultValue: (): IdempotentRequest | undefined => undefined
}) {}

/** The id of the one object of this kind that the request makes; the same at every attempt. */
export const idOf = (kind: IdKind): Effect.Effect<string> =>
  Effect.flatMap(CurrentAttempt, (attempt) =>
    attempt === undefined ? newId(kind) : Effect.succeed(`${prefixes[kind]}_${attempt.idBody}`)
  )

/** The object that an earlier attempt made, by `find`; none, without a search, at the first attempt. */
export const alreadyMade = <A, E, R>(
  kind: IdKind,
  find: (id: string) => Effect.Effect<Option.Option<A>, E, R>
): Effect.Effect<Option.Option<A>, E, R> =>
  Effect.flatMap(CurrentAttempt, (attempt) =>
    attempt?.isRetry === true ? find(`${prefixes[kind]}_${attempt.idBody}`) : Effect.succeed(Option.none<A>())
  )

/** How far the shared time of a process may lag behind the database's clock on a busy machine. */
const clockErrorMillis = 1_000

/**
 * The earliest time at which an earlier attempt can have done something, for comparison with times that a process stored;
 * ISO 8601 UTC. None at the first attempt.
 */
export const earlierAttemptsSince: Effect.Effect<Option.Option<string>> = Effect.map(
  CurrentAttempt,
  (attempt) =>
    attempt?.isRetry === true
      ? Option.some(new Date(Date.parse(attempt.since) - clockErrorMillis).toISOString())
      : Option.none()
)
