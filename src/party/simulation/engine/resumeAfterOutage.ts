/** Work at charge points while the database goes away and comes back. */
import { Effect, Option } from "effect"
import { isLoss } from "../../../database/DatabaseDown.ts"
import { outlast } from "../../../database/retry.ts"

/**
 * `begun` to its end; or, when the database is lost on the way, `goOn` from what is kept, as soon as it is back and however
 * often it is lost again.
 */
export const resumeAfterOutage = <R>(
  begun: Effect.Effect<void, never, R>,
  goOn: Effect.Effect<void, never, R>
): Effect.Effect<void, never, R> =>
  Effect.catchSomeDefect(begun, (defect) => (isLoss(defect) ? Option.some(outlast(goOn)) : Option.none()))
