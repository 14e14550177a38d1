/** Work that is done one after the other. As a semaphore of one permit, in a fifth of its steps while nobody waits. */
import { Effect } from "effect"

/** Makes a part of an uninterruptible region interruptible, as `Effect.uninterruptibleMask` gives it. */
type Restore = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The right to act, held by one at a time and passed on in the order of asking. */
interface Turn {
  /**
   * Does the work, in an uninterruptible region, when it has the turn; the wait for it is interruptible. The work calls `pass`
   * when others may go on: once, however it ends.
   */
  readonly hold: <A, E, R>(
    work: (restore: Restore, pass: () => void) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Does the work when it has the turn, and passes it on at the end. */
  readonly inTurn: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

interface Place {
  wake: () => void
}

/** A turn that nobody has. */
export function makeTurn(): Turn {
  /** Works that asked for the turn, in the order of asking. The first one has it. */
  const line: Array<Place> = []

  const leave = (place: Place) => {
    line.splice(line.indexOf(place), 1)
    line[0]?.wake()
  }
  const waitFor = (place: Place) =>
    Effect.async<void>((resume) => {
      place.wake = () => resume(Effect.void)
      if (line[0] === place) place.wake()
    })

  const hold: Turn["hold"] = (work) =>
    Effect.uninterruptibleMask((restore) => {
      const place: Place = { wake: () => {} }
      line.push(place)
      const pass = () => leave(place)
      return line[0] === place
        ? work(restore, pass)
        : Effect.matchCauseEffect(restore(waitFor(place)), {
            onFailure: (cause) => {
              pass()
              return Effect.failCause(cause)
            },
            onSuccess: () => work(restore, pass)
          })
    })

  return {
    hold,
    inTurn: (work) =>
      hold((restore, pass) =>
        Effect.matchCauseEffect(restore(work), {
          onFailure: (cause) => {
            pass()
            return Effect.failCause(cause)
          },
          onSuccess: (value) => {
            pass()
            return Effect.succeed(value)
          }
        })
      )
  }
}
