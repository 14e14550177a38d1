/** Messages to the actor of a journey run. */
import { type Deferred, Effect } from "effect"
import { type Mailbox, makeMailbox } from "../../runs/Mailbox.ts"

/** An operator's answer to a checkpoint; `note` says what it is based on. */
export interface OperatorAnswer {
  readonly answer: string
  readonly note?: string
}

/** What the mailbox of an actor carries. */
export type RunMessage =
  /** The partner called: there may be something to read. */
  | { readonly kind: "arrival" }
  /** Stop at the next safe point. `heard` succeeds when the request is in the ledger or no longer matters. */
  | { readonly kind: "cancel"; readonly heard: Deferred.Deferred<void> }
  /** An operator's answer to a checkpoint. `taken` says whether one was open. */
  | {
      readonly kind: "answer"
      readonly attested: OperatorAnswer
      readonly taken: Deferred.Deferred<boolean>
    }
  /** The process shuts down: stop at the next safe point, so that the run is released. */
  | { readonly kind: "drain" }

/** A mailbox that keeps at most one waiting `arrival`: arrivals carry no data. */
export interface RunMailbox extends Mailbox<RunMessage> {
  /** Posts an `arrival`. */
  readonly arrived: () => void
  /** How many were posted so far. */
  readonly arrivals: () => number
}

/** An empty mailbox. */
export const makeRunMailbox: Effect.Effect<RunMailbox> = Effect.map(
  makeMailbox<RunMessage>(
    ({ kind }, waiting) => kind === "arrival" && waiting.some((other) => other.kind === "arrival")
  ),
  (mailbox) => {
    let posted = 0
    return {
      ...mailbox,
      arrived: () => {
        posted++
        mailbox.unsafePost({ kind: "arrival" })
      },
      arrivals: () => posted
    }
  }
)
