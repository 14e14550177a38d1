/** Keeps work at charge points going over an outage of the database. */
import { Effect, Option } from "effect"
import { isLoss } from "../../../database/DatabaseDown.ts"
import { retryUntilBack } from "../../../database/retry.ts"

/**
 * Runs `begun`; if the database is lost meanwhile, runs `goOn` from what is stored, as soon as the database is back and
 * however often it is lost again.
 */
export const resumeAfterOutage = <R>(
  begun: Effect.Effect<void, never, R>,
  goOn: Effect.Effect<void, never, R>
): Effect.Effect<void, never, R> =>
  Effect.catchSomeDefect(begun, (defect) =>
    isLoss(defect) ? Option.some(retryUntilBack(goOn)) : Option.none()
  )
