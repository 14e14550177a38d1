/** The first answers to idempotent POSTs, by API key, endpoint and `Idempotency-Key`, for 24 hours. */
import { randomUUID } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import type { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { newIdBody } from "../../database/newId.ts"
import { storable } from "../../database/storable.ts"
import { Presence } from "../../placement/presence/Presence.ts"
import { traced } from "../../telemetry/traced.ts"
import { SecretBox } from "../secrets/SecretBox.ts"

/** A request with an `Idempotency-Key`. */
export interface IdempotencyRequest {
  readonly ownerId: OwnerId
  /** The API key of the request: one key never sees the answers given to another. */
  readonly keyId: KeyId
  /** Method and path, e.g. `POST /api/v1/connections`. */
  readonly endpoint: string
  /** The header as the client sent it, at most 255 characters. */
  readonly key: string
  /** Hash of the body and of the API key's scopes: shows that another request used the same key. */
  readonly requestHash: string
}

/** A stored answer, to be replayed. */
export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The text that the client got. */
  readonly body: string
}

/**
 * - `fresh`: no process works on this request; handle it, then call `finish`, `abandon` or `release` with the claim.
 * `again`: an earlier attempt began at `since`, with the same `idBody`, and its end is unknown.
 * - `inFlight`: a process that counts as alive works on it; `aliveUntil` is when it stops to count so unless it says before that it
 * is alive. - `replay`: it was done before; give that answer again.
 * - `conflict`: the key was used with another body. - `unreadable`: it was done before, but the answer can no longer be
 * opened, or dates from before answers belonged to an API key.
 */
type IdempotencyVerdict =
  | {
      readonly _tag: "fresh"
      readonly claim: string
      /** For the ids of what the request creates: the same at every attempt. */
      readonly idBody: string
      /** An earlier attempt began and ended without an answer. */
      readonly isRetry: boolean
      /** ISO 8601 UTC, by the database's clock. */
      readonly since: string
    }
  | {
      readonly _tag: "inFlight"
      /** ISO 8601 UTC, by the database's clock; grows while the process is alive. */
      readonly aliveUntil: string
    }
  | { readonly _tag: "replay"; readonly answer: StoredAnswer }
  | { readonly _tag: "conflict" }
  | { readonly _tag: "unreadable" }

/**
 * The stored answers. A claim lasts for as long as its process is alive (Presence.ts); then the next request with the
 * same body is `fresh` again. Answers are sealed, because some contain a secret. Dies with `DatabaseDown` while Postgres
 * is away.
 */
export class IdempotencyStore extends Context.Tag("store/IdempotencyStore")<
  IdempotencyStore,
  {
    readonly begin: (request: IdempotencyRequest) => Effect.Effect<IdempotencyVerdict>
    /** Stores the answer; does nothing when the claim was lost meanwhile (our process was taken for dead). */
    readonly finish: (request: IdempotencyRequest, claim: string, answer: StoredAnswer) => Effect.Effect<void>
    /** Gives the claim back when nothing was done: the same key may be tried again at once. */
    readonly abandon: (request: IdempotencyRequest, claim: string) => Effect.Effect<void>
    /** Gives the claim back when it is unknown what was done: the next attempt has the same `idBody`. */
    readonly release: (request: IdempotencyRequest, claim: string) => Effect.Effect<void>
    /** Removes rows older than 24 hours and returns how many. */
    readonly prune: Effect.Effect<number>
  }
>() {
  static readonly layer: Layer.Layer<IdempotencyStore, never, Database | Presence | SecretBox> = Layer.effect(
    IdempotencyStore,
    Effect.gen(function* () {
      const { query } = yield* Database
      const { processId } = yield* Presence
      const box = yield* SecretBox

      const begin = traced("IdempotencyStore.begin")(function* (request: IdempotencyRequest) {
        // The claim identifies this attempt: if the answer to the INSERT is lost, running it again still gives `fresh`.
        const claim = randomUUID()
        const idBody = yield* newIdBody
        for (;;) {
          const [taken] = yield* query<Taken>({
            name: "idempotency_claim",
            text: `INSERT INTO idempotency AS old
                     (owner_id, key_id, endpoint, key, request_hash, claim, claimed_at, process_id, id_body)
                   SELECT $1, $2, $3, $4, $5, $6, clock_timestamp(), $7, $8
                   WHERE NOT EXISTS (SELECT FROM idempotency WHERE owner_id = $1 AND key_id = '' AND endpoint = $3
                     AND key = $4 AND claimed_at >= clock_timestamp() - interval '24 hours')
                   ON CONFLICT (owner_id, key_id, endpoint, key) DO UPDATE SET (request_hash, claim, process_id, claimed_at,
                     id_body, status, headers, body) = (
                     SELECT excluded.request_hash, excluded.claim, excluded.process_id,
                       CASE WHEN is_old THEN excluded.claimed_at ELSE old.claimed_at END,
                       CASE WHEN is_old THEN excluded.id_body ELSE coalesce(old.id_body, excluded.id_body) END,
                       NULL::int, NULL::json, NULL
                     FROM (SELECT old.claimed_at < clock_timestamp() - interval '24 hours' AS is_old) age)
                   WHERE old.claim = excluded.claim
                     OR old.claimed_at < clock_timestamp() - interval '24 hours'
                     OR (old.status IS NULL AND old.request_hash = excluded.request_hash AND NOT EXISTS (
                       SELECT FROM server_process p WHERE p.id = old.process_id AND p.alive_until > clock_timestamp()))
                   RETURNING id_body, claimed_at`,
            values: [...identity(request), request.requestHash, claim, processId, idBody]
          })
          if (taken !== undefined) {
            return {
              _tag: "fresh" as const,
              claim,
              idBody: taken.id_body,
              isRetry: taken.id_body !== idBody,
              since: taken.claimed_at.toISOString()
            }
          }
          const rows = yield* query<Stored>({
            name: "idempotency_find",
            text: `SELECT i.key_id, i.request_hash, i.status, i.headers, i.body, p.alive_until
                   FROM idempotency i LEFT JOIN server_process p ON p.id = i.process_id
                   WHERE i.owner_id = $1 AND i.key_id IN ($2, '') AND i.endpoint = $3 AND i.key = $4
                   ORDER BY i.key_id DESC`,
            values: identity(request)
          })
          // The row was abandoned, released or pruned between the two statements, and may be claimed again.
          if (rows[0] === undefined || isFreed(rows[0], request)) continue
          return yield* verdict(rows[0], request)
        }
      })

      const finish = traced("IdempotencyStore.finish")(function* (
        request: IdempotencyRequest,
        claim: string,
        answer: StoredAnswer
      ) {
        yield* query({
          name: "idempotency_finish",
          text: `UPDATE idempotency SET status = $6, headers = $7, body = $8
                 WHERE owner_id = $1 AND key_id = $2 AND endpoint = $3 AND key = $4 AND claim = $5`,
          values: [
            ...identity(request),
            claim,
            answer.status,
            JSON.stringify(answer.headers),
            yield* box.seal(answerPlace(request), Redacted.make(answer.body))
          ]
        })
      })

      const abandon = traced("IdempotencyStore.abandon")(function* (
        request: IdempotencyRequest,
        claim: string
      ) {
        yield* query({
          text: `DELETE FROM idempotency
                 WHERE owner_id = $1 AND key_id = $2 AND endpoint = $3 AND key = $4 AND claim = $5 AND status IS NULL`,
          values: [...identity(request), claim]
        })
      })

      const release = traced("IdempotencyStore.release")(function* (
        request: IdempotencyRequest,
        claim: string
      ) {
        yield* query({
          text: `UPDATE idempotency SET process_id = NULL
                 WHERE owner_id = $1 AND key_id = $2 AND endpoint = $3 AND key = $4 AND claim = $5 AND status IS NULL`,
          values: [...identity(request), claim]
        })
      })

      const verdict = (stored: Stored, request: IdempotencyRequest): Effect.Effect<IdempotencyVerdict> => {
        if (stored.key_id === "") return Effect.succeed({ _tag: "unreadable" })
        if (stored.request_hash !== request.requestHash) return Effect.succeed({ _tag: "conflict" })
        const { alive_until, body, headers, status } = stored
        if (status === null || body === null)
          return Effect.succeed({ _tag: "inFlight", aliveUntil: alive_until?.toISOString() ?? "" })
        return box.open(answerPlace(request), body).pipe(
          Effect.map((text) => ({
            _tag: "replay" as const,
            answer: { status, headers: headers ?? {}, body: Redacted.value(text) }
          })),
          Effect.orElseSucceed(() => ({ _tag: "unreadable" as const }))
        )
      }

      const prune = Effect.map(
        query({
          text: "DELETE FROM idempotency WHERE claimed_at < clock_timestamp() - interval '24 hours' RETURNING 1"
        }),
        (rows) => rows.length
      )

      return IdempotencyStore.of({ begin, finish, abandon, release, prune })
    })
  )
}

interface Taken {
  readonly id_body: string
  readonly claimed_at: Date
}

interface Stored {
  /** Empty in rows from before answers belonged to an API key. */
  readonly key_id: KeyId | ""
  readonly request_hash: string
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
  /** Of the process that works on it; null: it has ended. */
  readonly alive_until: Date | null
}

/** Has the process that worked on this very request ended in order, or given it back? */
const isFreed = (stored: Stored, request: IdempotencyRequest): boolean =>
  stored.key_id !== "" &&
  stored.request_hash === request.requestHash &&
  stored.status === null &&
  stored.alive_until === null

const identity = (request: IdempotencyRequest) => [
  request.ownerId,
  request.keyId,
  storable(request.endpoint),
  storable(request.key)
]

/** The place of an answer, for the secret box. */
export const answerPlace = (request: Omit<IdempotencyRequest, "requestHash">) => ({
  record: `idempotency:${request.ownerId}`,
  field: JSON.stringify([request.keyId, request.endpoint, request.key])
})
