/** Turns an outage of the database, or of the archive, into a 503. */
import { Effect, Predicate } from "effect"
import { Unavailable } from "../../../schema/Errors.ts"
import { type ArchiveError, isArchiveError } from "../../archive/ArchiveStore.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"

/** Message of every 503 that an outage of the database causes. */
export const databaseAwayMessage = "The database is away for the moment; nothing was changed, try again"

/** Retry-After of these answers, in seconds. */
export const databaseAwaySeconds = 2

/** Retry-After where the archive is the cause, in seconds. A damaged object has to be put back by an operator. */
const archiveAwaySeconds = { ArchiveAway: 5, ArchiveDamaged: 600 } as const

/** The 503 where lines are in an archive that cannot be read. */
export const archiveUnavailable = ({ _tag, message }: ArchiveError): Unavailable =>
  new Unavailable({ message, retryAfterSeconds: archiveAwaySeconds[_tag] })

/** Turns `DatabaseDown` and errors of the archive into `Unavailable`; other errors pass. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | DatabaseDown | ArchiveError, R>
): Effect.Effect<A, Exclude<E, DatabaseDown | ArchiveError> | Unavailable, R> =>
  Effect.catchAll(
    effect,
    (error): Effect.Effect<never, Exclude<E, DatabaseDown | ArchiveError> | Unavailable> => {
      if (Predicate.isTagged(error, "DatabaseDown"))
        return new Unavailable({ message: databaseAwayMessage, retryAfterSeconds: databaseAwaySeconds })
      if (isArchiveError(error)) return archiveUnavailable(error)
      return Effect.fail(error as Exclude<E, DatabaseDown | ArchiveError>) // the other members of the union
    }
  )
