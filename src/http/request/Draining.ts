/** Whether the server is shutting down and accepts no new requests. */
import { Context, Deferred, Effect, Layer } from "effect"

/** The draining state of this server. */
export class Draining extends Context.Tag("http/Draining")<
  Draining,
  {
    readonly isDraining: () => boolean
    /** False from `announce` on. */
    readonly isReady: () => boolean
    /** From now on `/health/ready` is answered with 503, and everything else as before: balancers look elsewhere. */
    readonly announce: Effect.Effect<void>
    /** From now on `/health/ready` and new requests, except those of partners, are answered with 503. */
    readonly begin: Effect.Effect<void>
    /** Completes when draining begins. */
    readonly begun: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    Draining,
    Effect.map(Deferred.make<void>(), (begun) => {
      let draining = false
      let ready = true
      const announce = Effect.sync(() => {
        ready = false
      })
      return Draining.of({
        isDraining: () => draining,
        isReady: () => ready,
        announce,
        begin: Effect.suspend(() => {
          draining = true
          return Effect.zipRight(announce, Effect.asVoid(Deferred.succeed(begun, undefined)))
        }),
        begun: Deferred.await(begun)
      })
    })
  )
}
