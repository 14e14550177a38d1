/** Open event streams: counted over all processes, and closed when the API key or the session that opened them ends. */
import { randomUUID } from "node:crypto"
import type { Readable } from "node:stream"
import { Context, Effect, FiberSet, Layer, Schedule } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { TooMany } from "../../../schema/Errors.ts"
import { everyHour } from "../../database/everyHour.ts"
import { retryUntilBack } from "../../database/retry.ts"
import { KeyStore } from "../../store/accounts/KeyStore.ts"
import { SessionStore } from "../../store/accounts/SessionStore.ts"
import { StreamStore } from "../../store/accounts/StreamStore.ts"
import { RateLimits } from "./RateLimits.ts"

/** Seconds between checks of the keys and sessions of open streams; a stream must end within 5 seconds after them. */
const lookSeconds = 2

/** Holds the event streams of this process. */
export class OpenStreams extends Context.Tag("services/OpenStreams")<
  OpenStreams,
  {
    /**
     * Runs `make` and counts its stream for the caller's account until it closes. The stream is destroyed when the caller's
     * key is revoked or expires, or their session ends. TooMany when the account has reached its quota.
     */
    readonly hold: <E, R>(
      caller: Caller,
      make: Effect.Effect<Readable, E, R>
    ) => Effect.Effect<Readable, E | TooMany, R>
  }
>() {
  static readonly layer = Layer.scoped(
    OpenStreams,
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const store = yield* StreamStore
      const keys = yield* KeyStore
      const sessions = yield* SessionStore
      const held = new Map<Readable, Caller>()
      const fork = yield* FiberSet.makeRuntime<never>()

      const release = (id: string) =>
        store
          .close(id)
          .pipe(
            Effect.catchAllCause((cause) =>
              Effect.logWarning("A closed stream could not be counted off", cause)
            )
          )

      const hold = Effect.fnUntraced(function* <E, R>(caller: Caller, make: Effect.Effect<Readable, E, R>) {
        const id = randomUUID()
        yield* limits.withinQuota(
          "streams",
          caller.ownerId,
          store.count(caller.ownerId),
          store.open(id, caller.ownerId, caller.keyId)
        )
        const stream = yield* Effect.onError(make, () => release(id))
        held.set(stream, caller)
        stream.once("close", () => {
          held.delete(stream)
          fork(release(id))
        })
        return stream
      })

      const endThoseWithoutCaller = Effect.gen(function* () {
        const callers = [...held.values()]
        if (callers.length === 0) return
        const keyIds = new Set(callers.map(({ keyId }) => keyId))
        const sessionIds = new Set(
          callers.flatMap(({ sessionId }) => (sessionId === undefined ? [] : [sessionId]))
        )
        const ended = new Set<string>(yield* keys.ended([...keyIds]))
        if (sessionIds.size > 0) for (const id of yield* sessions.ended([...sessionIds])) ended.add(id)
        for (const [stream, { keyId, sessionId }] of held)
          if (ended.has(keyId) || (sessionId !== undefined && ended.has(sessionId))) stream.destroy()
      })
      yield* retryUntilBack(endThoseWithoutCaller).pipe(
        Effect.catchAllCause((cause) =>
          Effect.logError("The keys of open streams could not be looked at", cause)
        ),
        Effect.schedule(Schedule.spaced(`${lookSeconds} seconds`)),
        Effect.forkScoped
      )
      yield* everyHour(store.prune, "Streams of dead processes could not be removed")
      return OpenStreams.of({ hold })
    })
  )
}
