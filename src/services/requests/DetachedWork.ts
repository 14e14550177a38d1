/** Work that is finished although its caller hangs up: a handshake or a command must not end half done. */
import { Context, Effect, Fiber, FiberSet, Layer } from "effect"

/** How long such work may take to end when the process stops; after that they are interrupted. */
const graceSeconds = 12

export class DetachedWork extends Context.Tag("services/DetachedWork")<
  DetachedWork,
  {
    /** The effect, in a fiber of its own: interrupting the caller stops the waiting, not the work. */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layer = Layer.scoped(
    DetachedWork,
    Effect.gen(function* () {
      const open = yield* FiberSet.make<unknown, unknown>()
      yield* Effect.addFinalizer(() =>
        FiberSet.awaitEmpty(open).pipe(Effect.timeoutOption(`${graceSeconds} seconds`), Effect.interruptible)
      )
      return DetachedWork.of({
        run: (effect) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              const fiber = yield* Effect.forkDaemon(Effect.interruptible(effect))
              yield* FiberSet.add(open, fiber)
              return yield* restore(Fiber.join(fiber))
            })
          )
      })
    })
  )
}
