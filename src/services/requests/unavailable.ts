/** Turns an outage of the database into a 503. */
import { Effect } from "effect"
import { Unavailable } from "../../../schema/Errors.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"

/** Message of every 503 that an outage of the database causes. */
export const databaseAwayMessage = "The database is away for the moment; nothing was changed, try again"

/** Retry-After of these answers, in seconds. */
export const databaseAwaySeconds = 2

/** Turns `DatabaseDown` into `Unavailable`; other errors pass. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | DatabaseDown, R>
): Effect.Effect<A, Exclude<E, DatabaseDown> | Unavailable, R> =>
  Effect.catchAll(
    effect,
    (error): Effect.Effect<never, Exclude<E, DatabaseDown> | Unavailable> =>
      isDatabaseDown(error)
        ? new Unavailable({ message: databaseAwayMessage, retryAfterSeconds: databaseAwaySeconds })
        : Effect.fail(error as Exclude<E, DatabaseDown>) // the other members of the union
  )

function isDatabaseDown(error: unknown): error is DatabaseDown {
  return typeof error === "object" && error !== null && "_tag" in error && error._tag === "DatabaseDown"
}
