/**
 * `Idempotency-Key`: the same key with the same request gives the first answer again for 24 hours; the same key with
 * another request, or while the first is still being worked on, is a conflict. Keys are per API key and endpoint: what
 * one key was answered another key of the account is not told.
 */
import { createHash } from "node:crypto"
import { Cause, Context, Effect, Exit, Layer, Option, Schedule } from "effect"
import type { Scope } from "../../../schema/Account.ts"
import { Conflict } from "../../../schema/Errors.ts"
import type { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { outlast } from "../../database/retry.ts"
import {
  type IdempotencyRequest,
  IdempotencyStore,
  type StoredAnswer
} from "../../store/accounts/IdempotencyStore.ts"
import { DetachedWork } from "./DetachedWork.ts"
import { CurrentAttempt } from "./IdempotentRequest.ts"

export interface Acting {
  readonly ownerId: OwnerId
  readonly keyId: KeyId
  /** Of the API key: with other ones it is another request. */
  readonly scopes: ReadonlyArray<Scope>
  /** Method and path. */
  readonly endpoint: string
  readonly key: string
  /** Decoded body and query; compared as canonical JSON. */
  readonly request: unknown
}

/**
 * An answer, and the one that is given to a repeat: without secrets, which are told once. Null: none is kept, for nothing was
 * changed (a rate limit, a database away).
 */
export interface Acted {
  readonly answer: StoredAnswer
  readonly kept: StoredAnswer | null
}

/** `isReplay`: nothing was done for it. */
export interface ReplayableAnswer {
  readonly answer: StoredAnswer
  readonly isReplay: boolean
}

export class Idempotency extends Context.Tag("services/Idempotency")<
  Idempotency,
  {
    /**
     * Does it once. The work goes on, and its answer is kept, when the caller hangs up. A try that did not live to tell
     * is done again with the same ids (IdempotentRequest.ts).
     */
    readonly once: <E, R>(
      acting: Acting,
      work: Effect.Effect<Acted, E, R>
    ) => Effect.Effect<ReplayableAnswer, E | Conflict, R>
  }
>() {
  /** While it lives, answers that are too old to be given again are removed every hour. */
  static readonly layer = Layer.scoped(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const detached = yield* DetachedWork
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
              return { answer: verdict.answer, isReplay: true }
            case "conflict":
              return yield* new Conflict({
                message:
                  "Idempotency-Key was used with another request, or before this API key's scopes were changed; use a new key for a new request"
              })
            case "inFlight":
              return yield* new Conflict({
                message:
                  "A request with this Idempotency-Key is still being worked on; try again in a few seconds"
              })
            case "unreadable":
              return yield* new Conflict({
                message:
                  "This was done before, but its answer cannot be given again; use a new Idempotency-Key"
              })
            case "fresh": {
              const { claim, ...repeat } = verdict
              // What the database did not take is given back when it is there again: then the next try finds what was made.
              const giveBack = Effect.forkDaemon(detached.run(outlast(store.release(request, claim))))
              const { answer } = yield* work.pipe(
                Effect.provideService(CurrentAttempt, repeat),
                Effect.onExit((exit) => {
                  if (Exit.isSuccess(exit)) {
                    const { kept } = exit.value
                    return kept === null ? store.abandon(request, claim) : store.finish(request, claim, kept)
                  }
                  return isRefusal(exit.cause) ? store.abandon(request, claim) : Effect.void
                }),
                Effect.tapErrorCause((cause) => (isRefusal(cause) ? Effect.void : giveBack))
              )
              return { answer, isReplay: false }
            }
          }
        }).pipe(detached.run)

      return Idempotency.of({ once })
    })
  )
}

/** Was it said why nothing was done? Else it is not known what was. */
function isRefusal(cause: Cause.Cause<unknown>): boolean {
  const failure = Cause.failureOption(cause)
  if (Option.isNone(failure) || Cause.isInterrupted(cause)) return false
  const { value } = failure
  return !(typeof value === "object" && value !== null && "_tag" in value && value._tag === "Unavailable")
}

/** Stable over the order of keys, so that a client may serialise as it likes. */
function canonical(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  )
  return text ?? "null"
}

function requestOf({ endpoint, key, keyId, ownerId, request, scopes }: Acting): IdempotencyRequest {
  const asked = canonical({ request, scopes: [...scopes].sort() })
  return { ownerId, keyId, endpoint, key, requestHash: createHash("sha256").update(asked).digest("hex") }
}
