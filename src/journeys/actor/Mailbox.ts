/** Messages to a run's actor. None is lost; the signal only says that it is worth looking. */
import { type Deferred, Effect, Queue } from "effect"

/** A person's answer to a checkpoint, and what it was based on. */
export interface OperatorAnswer {
  readonly answer: string
  readonly note?: string
}

export type RunMessage =
  /** The partner called: there may be something to read. */
  | { readonly kind: "arrival" }
  /** Stop at the next safe point. `heard` succeeds once the wish is in the ledger, or moot. */
  | { readonly kind: "cancel"; readonly heard: Deferred.Deferred<void> }
  /** A person's answer to a checkpoint. `taken` says whether one was open. */
  | {
      readonly kind: "answer"
      readonly attested: OperatorAnswer
      readonly taken: Deferred.Deferred<boolean>
    }
  /** The process ends: stop at the next safe point and give the run back. */
  | { readonly kind: "drain" }

export interface Mailbox {
  readonly post: (message: RunMessage) => Effect.Effect<void>
  /** All messages so far, oldest first. */
  readonly takeAll: Effect.Effect<ReadonlyArray<RunMessage>>
  /** Waits until something was posted. */
  readonly signal: Effect.Effect<void>
}

export const makeMailbox: Effect.Effect<Mailbox> = Effect.map(Queue.sliding<void>(1), (signal) => {
  const messages: Array<RunMessage> = []
  return {
    post: (message) =>
      Effect.suspend(() => {
        // One arrival stands for many: they carry no data.
        if (message.kind !== "arrival" || !messages.some(({ kind }) => kind === "arrival"))
          messages.push(message)
        return Effect.asVoid(Queue.offer(signal, undefined))
      }),
    takeAll: Effect.sync(() => messages.splice(0)),
    signal: Queue.take(signal)
  }
})
