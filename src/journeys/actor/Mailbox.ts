/** Letters to a run's actor. Letters are never lost; the bell only says that it is worth looking. */
import { type Deferred, Effect, Queue } from "effect"

/** A person's answer to a checkpoint, and what it was based on. */
export interface Attested {
  readonly answer: string
  readonly note?: string
}

export type Letter =
  /** The partner called: there may be something to read. */
  | { readonly kind: "arrival" }
  /** Stop at the next safe point. `heard` succeeds once the wish is in the ledger, or moot. */
  | { readonly kind: "cancel"; readonly heard: Deferred.Deferred<void> }
  /** A person's answer to a checkpoint. `taken` says whether one was open. */
  | {
      readonly kind: "answer"
      readonly attested: Attested
      readonly taken: Deferred.Deferred<boolean>
    }
  /** The process ends: stop at the next safe point and give the run back. */
  | { readonly kind: "drain" }

export interface Mailbox {
  readonly post: (letter: Letter) => Effect.Effect<void>
  /** All letters so far, oldest first. */
  readonly collect: Effect.Effect<ReadonlyArray<Letter>>
  /** Waits until something was posted. */
  readonly bell: Effect.Effect<void>
}

export const makeMailbox: Effect.Effect<Mailbox> = Effect.map(Queue.sliding<void>(1), (bell) => {
  const letters: Array<Letter> = []
  return {
    post: (letter) =>
      Effect.suspend(() => {
        // One arrival stands for many: they carry no data.
        if (letter.kind !== "arrival" || !letters.some(({ kind }) => kind === "arrival")) letters.push(letter)
        return Effect.asVoid(Queue.offer(bell, undefined))
      }),
    collect: Effect.sync(() => letters.splice(0)),
    bell: Queue.take(bell)
  }
})
