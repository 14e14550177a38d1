/** Work that goes on when its caller disconnects, because a handshake or a command must not stop half-way. */
import { Context, Effect, Fiber, FiberSet, Layer } from "effect"

/** Seconds that a stopping process waits for open work before it exits. */
const graceSeconds = 12

/** Runs work in fibers that outlive the request; when the process stops, its layer waits for them. */
export class DetachedWork extends Context.Tag("services/DetachedWork")<
  DetachedWork,
  {
    /** Runs the effect in its own fiber and waits for it: interrupting the caller ends the wait, not the work. */
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
