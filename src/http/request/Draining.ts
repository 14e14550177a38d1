/** Is the server on its way out? Then it takes nothing new. */
import { Context, Deferred, Effect, Layer } from "effect"

export class Draining extends Context.Tag("http/Draining")<
  Draining,
  {
    readonly isDraining: () => boolean
    /** From now on `health/ready` and every new request but a partner's are answered with 503. */
    readonly begin: Effect.Effect<void>
    /** Ends when draining begins. */
    readonly begun: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    Draining,
    Effect.map(Deferred.make<void>(), (begun) => {
      let draining = false
      return Draining.of({
        isDraining: () => draining,
        begin: Effect.suspend(() => {
          draining = true
          return Effect.asVoid(Deferred.succeed(begun, undefined))
        }),
        begun: Deferred.await(begun)
      })
    })
  )
}
