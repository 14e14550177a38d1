/**
 * First answers of acting POSTs, by owner, endpoint and `Idempotency-Key`, for 24 hours.
 */
import { randomUUID } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { OwnerId } from "../../schema/Ids.ts"
import { Database } from "./Database.ts"
import { storable } from "./storable.ts"

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
>() {
  static readonly layer: Layer.Layer<IdempotencyStore, never, Database> = Layer.effect(
    IdempotencyStore,
    Effect.gen(function* () {
      const { query } = yield* Database

      const begin = Effect.fn("IdempotencyStore.begin")(function* (request: IdempotencyRequest) {
        // The claim names this attempt: should the answer to the INSERT be lost, running it again is still `fresh`.
        const claim = randomUUID()
        for (;;) {
          const taken = yield* query({
            name: "idempotency_claim",
            text: `INSERT INTO idempotency AS old (owner_id, endpoint, key, request_hash, claim, claimed_at)
                   VALUES ($1, $2, $3, $4, $5, clock_timestamp())
                   ON CONFLICT (owner_id, endpoint, key) DO UPDATE SET request_hash = excluded.request_hash,
                     claim = excluded.claim, claimed_at = excluded.claimed_at, status = NULL, headers = NULL, body = NULL
                   WHERE old.claim = excluded.claim
                     OR old.claimed_at < clock_timestamp() - interval '24 hours'
                     OR (old.status IS NULL AND old.request_hash = excluded.request_hash
                         AND old.claimed_at < clock_timestamp() - interval '60 seconds')
                   RETURNING claim`,
            values: [...identity(request), request.requestHash, claim]
          })
          if (taken.length > 0) return { _tag: "fresh" as const, claim }
          const rows = yield* query<Stored>({
            name: "idempotency_find",
            text: `SELECT request_hash, status, headers, body FROM idempotency
                   WHERE owner_id = $1 AND endpoint = $2 AND key = $3`,
            values: identity(request)
          })
          // Abandoned or pruned between the two statements: it may be claimed again.
          if (rows[0] !== undefined) return verdict(rows[0], request)
        }
      })

      const finish = Effect.fn("IdempotencyStore.finish")(function* (
        request: IdempotencyRequest,
        claim: string,
        answer: StoredAnswer
      ) {
        yield* query({
          name: "idempotency_finish",
          text: `UPDATE idempotency SET status = $5, headers = $6, body = $7
                 WHERE owner_id = $1 AND endpoint = $2 AND key = $3 AND claim = $4`,
          values: [
            ...identity(request),
            claim,
            answer.status,
            JSON.stringify(answer.headers),
            storable(answer.body)
          ]
        })
      })

      const abandon = Effect.fn("IdempotencyStore.abandon")(function* (
        request: IdempotencyRequest,
        claim: string
      ) {
        yield* query({
          text: `DELETE FROM idempotency
                 WHERE owner_id = $1 AND endpoint = $2 AND key = $3 AND claim = $4 AND status IS NULL`,
          values: [...identity(request), claim]
        })
      })

      const prune = Effect.map(
        query({
          text: "DELETE FROM idempotency WHERE claimed_at < clock_timestamp() - interval '24 hours' RETURNING 1"
        }),
        (rows) => rows.length
      )

      return IdempotencyStore.of({ begin, finish, abandon, prune })
    })
  )
}

interface Stored {
  readonly request_hash: string
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
}

const identity = (request: IdempotencyRequest) => [
  request.ownerId,
  storable(request.endpoint),
  storable(request.key)
]

function verdict(stored: Stored, request: IdempotencyRequest): IdempotencyVerdict {
  if (stored.request_hash !== request.requestHash) return { _tag: "conflict" }
  if (stored.status === null) return { _tag: "inFlight" }
  return {
    _tag: "replay",
    answer: { status: stored.status, headers: stored.headers ?? {}, body: stored.body ?? "" }
  }
}
