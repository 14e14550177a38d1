import { Effect } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"

/** How far a step of a run got according to its ledger. `lost`: its request was intended, and no completion was recorded. */
export type StepState<Completion = Exchange> =
  | { readonly is: "untouched" }
  | { readonly is: "lost"; readonly intent: Exchange }
  | { readonly is: "done"; readonly completion: Completion }

/** A step, and what becomes of it where it was begun before. */
interface StepOrder<A, Completion> {
  readonly before: StepState<Completion>
  /** Whether its request is sent again if the answer was lost: a write to a partner is not, unless it is idempotent. */
  readonly isRepeatable: boolean
  /** The result of a step that was done before. */
  readonly onDone: (completion: Completion) => A
  /** The result of a step whose answer was lost, and which is not repeated. */
  readonly onLost: (intent: Exchange) => A
}

/** Does the work of a step at most once: if the ledger says that the step was begun, it is believed. */
export const durableStep = <A, Completion, E, R>(
  { before, isRepeatable, onDone, onLost }: StepOrder<A, Completion>,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  if (before.is === "done") return Effect.succeed(onDone(before.completion))
  return before.is === "lost" && !isRepeatable ? Effect.succeed(onLost(before.intent)) : work
}
