/** Messages to the worker of a run, which reads them at its next safe point. */
import { Effect, Queue } from "effect"

/** An unbounded in-memory queue of messages to one worker. */
export interface Mailbox<Message> {
  /** Adds a message and wakes the worker. */
  readonly post: (message: Message) => Effect.Effect<void>
  /** Removes and returns all messages, oldest first. */
  readonly takeAll: Effect.Effect<ReadonlyArray<Message>>
  /** Waits until a message is posted. */
  readonly signal: Effect.Effect<void>
}

/** An empty mailbox. A message for which `isRepeated` holds, given the waiting ones, is dropped. */
export const makeMailbox = <Message>(
  isRepeated: (message: Message, waiting: ReadonlyArray<Message>) => boolean
): Effect.Effect<Mailbox<Message>> =>
  Effect.map(Queue.sliding<void>(1), (signal) => {
    const messages: Array<Message> = []
    return {
      post: (message) =>
        Effect.suspend(() => {
          if (!isRepeated(message, messages)) messages.push(message)
          return Effect.asVoid(Queue.offer(signal, undefined))
        }),
      takeAll: Effect.sync(() => messages.splice(0)),
      signal: Queue.take(signal)
    }
  })
