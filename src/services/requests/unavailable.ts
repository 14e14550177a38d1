/** A ledger that cannot be reached is a 503 for the caller. */
import { Effect } from "effect"
import { Unavailable } from "../../../schema/Errors.ts"
import type { LedgerDown } from "../../ledger/Ledger.ts"

export const databaseAwayMessage = "The database is away for the moment; nothing was changed, try again"
export const databaseAwaySeconds = 2

/** Turns `LedgerDown` into `Unavailable` and leaves every other error alone. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | LedgerDown, R>
): Effect.Effect<A, Exclude<E, LedgerDown> | Unavailable, R> =>
  Effect.catchAll(
    effect,
    (error): Effect.Effect<never, Exclude<E, LedgerDown> | Unavailable> =>
      isLedgerDown(error)
        ? new Unavailable({ message: databaseAwayMessage, retryAfterSeconds: databaseAwaySeconds })
        : Effect.fail(error as Exclude<E, LedgerDown>) // the other members of the union
  )

function isLedgerDown(error: unknown): error is LedgerDown {
  return typeof error === "object" && error !== null && "_tag" in error && error._tag === "LedgerDown"
}
