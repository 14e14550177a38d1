/**
 * `Idempotency-Key`: the same key with the same request gives the first answer again for 24 hours; the same key with
 * another request, or while the first is still being worked on, is a conflict. Keys are per owner and endpoint.
 */
import { createHash } from "node:crypto"
import { Context, Effect, Exit, Layer, Schedule } from "effect"
import { Conflict } from "../../schema/Errors.ts"
import type { OwnerId } from "../../schema/Ids.ts"
import { outlast } from "../store/Database.ts"
import { type IdempotencyRequest, IdempotencyStore, type StoredAnswer } from "../store/IdempotencyStore.ts"
import { Errands } from "./Errands.ts"

export interface Acting {
  readonly ownerId: OwnerId
  /** Method and path. */
  readonly endpoint: string
  readonly key: string
  /** Decoded body and query; compared as canonical JSON. */
  readonly request: unknown
}

/** An answer, and whether it shall be given again. What changed nothing (a rate limit, a database away) is not kept. */
export interface Acted {
  readonly answer: StoredAnswer
  readonly keep: boolean
}

export class Idempotency extends Context.Tag("services/Idempotency")<
  Idempotency,
  {
    /** Does it once. The work goes on, and its answer is kept, when the caller hangs up. */
    readonly once: <E, R>(
      acting: Acting,
      work: Effect.Effect<Acted, E, R>
    ) => Effect.Effect<StoredAnswer, E | Conflict, R>
  }
>() {
  /** While it lives, answers that are too old to be given again are removed every hour. */
  static readonly layer = Layer.scoped(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const errands = yield* Errands
      yield* outlast(store.prune).pipe(
        Effect.catchAllCause((cause) => Effect.logError("Old idempotency keys could not be removed", cause)),
        Effect.repeat(Schedule.spaced("1 hour")),
        Effect.forkScoped
      )

      const once = <E, R>(acting: Acting, work: Effect.Effect<Acted, E, R>) =>
        Effect.gen(function* () {
          const request = requestOf(acting)
          const verdict = yield* store.begin(request)
          switch (verdict._tag) {
            case "replay":
              return verdict.answer
            case "conflict":
              return yield* new Conflict({
                message: "Idempotency-Key was used with another request; use a new key for a new request"
              })
            case "inFlight":
              return yield* new Conflict({
                message:
                  "A request with this Idempotency-Key is still being worked on; try again in a few seconds"
              })
            case "fresh": {
              const { answer } = yield* work.pipe(
                Effect.onExit((exit) =>
                  Exit.isSuccess(exit) && exit.value.keep
                    ? store.finish(request, verdict.claim, exit.value.answer)
                    : store.abandon(request, verdict.claim)
                )
              )
              return answer
            }
          }
        }).pipe(errands.run)

      return Idempotency.of({ once })
    })
  )
}

/** Stable over the order of keys, so that a client may serialise as it likes. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  ) ?? "null"

function requestOf({ endpoint, key, ownerId, request }: Acting): IdempotencyRequest {
  return {
    ownerId,
    endpoint,
    key,
    requestHash: createHash("sha256").update(canonical(request)).digest("hex")
  }
}
