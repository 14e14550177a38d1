/**
 * First answers of acting POSTs, by owner, endpoint and `Idempotency-Key`, for 24 hours. Port; see
 * IdempotencyStorePostgres.
 */
import { Context, type Effect } from "effect"
import type { OwnerId } from "../../schema/Ids.ts"

export interface IdempotencyRequest {
  readonly ownerId: OwnerId
  /** Method and path, e.g. `POST /api/v1/connections`. */
  readonly endpoint: string
  /** The header as the client sent it, at most 255 characters. */
  readonly key: string
  /** Hash of the body, so that another body under the same key is noticed. */
  readonly requestHash: string
}

/** The answer that is given again. */
export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Text as it went to the client. */
  readonly body: string
}

/**
 * - `fresh`: nobody has done this; do it, then `finish` or `abandon` with the claim.
 * - `inFlight`: somebody is doing it right now. - `replay`: done before; give that answer again.
 * - `conflict`: the key was used with another body.
 */
export type IdempotencyVerdict =
  | { readonly _tag: "fresh"; readonly claim: string }
  | { readonly _tag: "inFlight" }
  | { readonly _tag: "replay"; readonly answer: StoredAnswer }
  | { readonly _tag: "conflict" }

/**
 * A claim that is neither finished nor abandoned, because its process died, lasts 60 seconds by the database's clock;
 * then the next call with the same body is `fresh`. Dies with `DatabaseDown` (Database.ts) while Postgres is away.
 */
export class IdempotencyStore extends Context.Tag("store/IdempotencyStore")<
  IdempotencyStore,
  {
    readonly begin: (request: IdempotencyRequest) => Effect.Effect<IdempotencyVerdict>
    /** Stores the answer; nothing happens when the claim was lost meanwhile (it took longer than 60 seconds). */
    readonly finish: (request: IdempotencyRequest, claim: string, answer: StoredAnswer) => Effect.Effect<void>
    /** Gives the claim back so that the same key may be tried again at once (nothing was done). */
    readonly abandon: (request: IdempotencyRequest, claim: string) => Effect.Effect<void>
    /** Removes what is older than 24 hours; answers how many rows. */
    readonly prune: Effect.Effect<number>
  }
>() {}
