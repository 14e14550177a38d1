/**
 * `Idempotency-Key`: the same key with the same request gets the first answer again for 24 hours. The same key with another
 * request, or while a process that is alive works on the first one, is a conflict. Keys are separate for each API key and
 * endpoint, so that one API key never gets the answer of another.
 */
import { createHash } from "node:crypto"
import { Cause, Context, Effect, Exit, Layer, Option } from "effect"
import type { Scope } from "../../../schema/Account.ts"
import { Conflict } from "../../../schema/Errors.ts"
import type { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { everyHour } from "../../database/everyHour.ts"
import { retryUntilBack } from "../../database/retry.ts"
import {
  type IdempotencyRequest,
  IdempotencyStore,
  type StoredAnswer
} from "../../store/accounts/IdempotencyStore.ts"
import { DetachedWork } from "./DetachedWork.ts"
import { CurrentAttempt } from "./IdempotentRequest.ts"

/** A request with an Idempotency-Key. */
interface Acting {
  readonly ownerId: OwnerId
  readonly keyId: KeyId
  /** Scopes of the API key; the same request with other scopes counts as another request. */
  readonly scopes: ReadonlyArray<Scope>
  /** Method and path. */
  readonly endpoint: string
  /** Value of the header. */
  readonly key: string
  /** Decoded body and query; compared as canonical JSON. */
  readonly request: unknown
}

/**
 * The answer, and what a repeated request gets, without the secrets, which are shown once. `kept` null: nothing was changed
 * (rate limit, database outage), so a repeated request is carried out.
 */
interface Acted {
  readonly answer: StoredAnswer
  readonly kept: StoredAnswer | null
}

/** `isReplay`: an earlier answer, for which nothing was done now. */
interface ReplayableAnswer {
  readonly answer: StoredAnswer
  readonly isReplay: boolean
}

/**
 * How often the process of an earlier attempt must say that it is alive, after a later attempt has come, until the later one is
 * refused. The first time may have been on its way when the process was killed.
 */
const signsOfLife = 2
/** Between two looks at an earlier attempt in progress. */
const firstPauseMillis = 100
const longestPauseMillis = 1_000

/** Carries out a request with an Idempotency-Key at most once. */
export class Idempotency extends Context.Tag("services/Idempotency")<
  Idempotency,
  {
    /**
     * Does the work once. It goes on, and its answer is stored, when the caller disconnects. If the process of an earlier
     * attempt died before it had an answer, the work is done again with the same ids (IdempotentRequest.ts). While it is not known
     * whether that process is dead (for a lease at most), this waits: a balancer that repeats the request at once, and a client
     * that does, get the answer instead of a conflict.
     */
    readonly once: <E, R>(
      acting: Acting,
      work: Effect.Effect<Acted, E, R>
    ) => Effect.Effect<ReplayableAnswer, E | Conflict, R>
  }
>() {
  /** Removes expired answers every hour. */
  static readonly layer = Layer.scoped(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const detached = yield* DetachedWork
      yield* everyHour(store.prune, "Old idempotency keys could not be removed")

      /** Without `done`: an earlier attempt is in progress, in a process that counts as alive until `aliveUntil`. */
      const attempt = Effect.fnUntraced(function* <E, R>(
        request: IdempotencyRequest,
        work: Effect.Effect<Acted, E, R>
      ) {
        const verdict = yield* store.begin(request)
        switch (verdict._tag) {
          case "replay":
            return { done: { answer: verdict.answer, isReplay: true } }
          case "conflict":
            return yield* new Conflict({
              message:
                "Idempotency-Key was used with another request, or before this API key's scopes were changed; use a new key for a new request"
            })
          case "inFlight":
            return { done: undefined, aliveUntil: verdict.aliveUntil }
          case "unreadable":
            return yield* new Conflict({
              message:
                "This request was carried out before, but its answer cannot be repeated; use a new Idempotency-Key"
            })
          case "fresh": {
            const { claim, ...current } = verdict
            // During an outage the claim is released later, so that the next attempt can find what was made.
            const giveBack = Effect.forkDaemon(detached.run(retryUntilBack(store.release(request, claim))))
            const { answer } = yield* work.pipe(
              Effect.provideService(CurrentAttempt, current),
              Effect.onExit((exit) => {
                if (Exit.isSuccess(exit)) {
                  const { kept } = exit.value
                  return kept === null ? store.abandon(request, claim) : store.finish(request, claim, kept)
                }
                return isRefusal(exit.cause) ? store.abandon(request, claim) : Effect.void
              }),
              Effect.tapErrorCause((cause) => (isRefusal(cause) ? Effect.void : giveBack))
            )
            return { done: { answer, isReplay: false } }
          }
        }
      }, detached.run)

      const once = Effect.fnUntraced(function* <E, R>(acting: Acting, work: Effect.Effect<Acted, E, R>) {
        const request = requestOf(acting)
        const signs = new Set<string>()
        for (let pause = firstPauseMillis; ; pause = Math.min(pause * 1.5, longestPauseMillis)) {
          const attempted = yield* attempt(request, work)
          if (attempted.done !== undefined) return attempted.done
          if (signs.add(attempted.aliveUntil).size > signsOfLife)
            return yield* new Conflict({
              message:
                "A request with this Idempotency-Key is still being worked on; try again in a few seconds"
            })
          yield* Effect.sleep(pause)
        }
      })

      return Idempotency.of({ once })
    })
  )
}

/** True for errors that say that nothing was done; after any other failure it is unknown what was done. */
function isRefusal(cause: Cause.Cause<unknown>): boolean {
  const failure = Cause.failureOption(cause)
  if (Option.isNone(failure) || Cause.isInterrupted(cause)) return false
  const { value } = failure
  return !(typeof value === "object" && value !== null && "_tag" in value && value._tag === "Unavailable")
}

/** JSON with sorted keys, so that the order in which a client serialises fields does not matter. */
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
