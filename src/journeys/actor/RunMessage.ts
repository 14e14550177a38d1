/** What the actor of a journey run is told. */
import type { Deferred, Effect } from "effect"
import { type Mailbox, makeMailbox } from "../../runs/Mailbox.ts"

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

/** One arrival stands for many: they carry no data. */
export const makeRunMailbox: Effect.Effect<Mailbox<RunMessage>> = makeMailbox(
  ({ kind }, waiting) => kind === "arrival" && waiting.some((other) => other.kind === "arrival")
)
