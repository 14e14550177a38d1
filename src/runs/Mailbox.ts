/** Messages to the worker of a run, which reads them at its next safe point. */
import { Effect } from "effect"

/** An unbounded in-memory queue of messages to one worker. */
export interface Mailbox<Message> {
  /** Adds a message and wakes the worker. */
  readonly post: (message: Message) => Effect.Effect<void>
  /** `post` for a caller outside of any effect. */
  readonly unsafePost: (message: Message) => void
  /** Removes and returns all messages, oldest first. */
  readonly takeAll: Effect.Effect<ReadonlyArray<Message>>
  /** Waits until a message is posted; one that was posted since the last wait ends it at once. */
  readonly signal: Effect.Effect<void>
  /**
   * `signal` as a callback, for a caller that waits for several things at once. Calls `wake` at the next message, one time.
   * Returns a function that cancels the wait.
   */
  readonly onSignal: (wake: () => void) => () => void
}

/** An empty mailbox. A message for which `isRepeated` holds, given the waiting ones, is dropped. */
export const makeMailbox = <Message>(
  isRepeated: (message: Message, waiting: ReadonlyArray<Message>) => boolean
): Effect.Effect<Mailbox<Message>> =>
  Effect.sync(() => {
    const messages: Array<Message> = []
    const waiting = new Set<() => void>()
    let isSignalled = false

    const onSignal = (wake: () => void): (() => void) => {
      if (isSignalled) {
        isSignalled = false
        wake()
        return () => {}
      }
      waiting.add(wake)
      return () => {
        waiting.delete(wake)
      }
    }
    const unsafePost = (message: Message): void => {
      if (!isRepeated(message, messages)) messages.push(message)
      const [wake] = waiting
      if (wake === undefined) isSignalled = true
      else {
        waiting.delete(wake)
        wake()
      }
    }
    return {
      post: (message) => Effect.sync(() => unsafePost(message)),
      unsafePost,
      takeAll: Effect.sync(() => messages.splice(0)),
      signal: Effect.async((resume) => Effect.sync(onSignal(() => resume(Effect.void)))),
      onSignal
    }
  })
