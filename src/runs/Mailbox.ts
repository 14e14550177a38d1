/** Messages to the worker of a run, read when it is at a safe point. None is lost. */
import { Effect, Queue } from "effect"

export interface Mailbox<Message> {
  readonly post: (message: Message) => Effect.Effect<void>
  /** All messages so far, oldest first; they are in the mailbox no more. */
  readonly takeAll: Effect.Effect<ReadonlyArray<Message>>
  /** Waits until something was posted. */
  readonly signal: Effect.Effect<void>
}

/** `isRepeated`: a message that says nothing new beside those that wait already is dropped. */
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
