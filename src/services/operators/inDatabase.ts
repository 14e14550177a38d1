/** Work of an operator on the database by promises, with its errors in the operator's words. */
import { Effect, type Redacted } from "effect"
import { DatabaseUnusable, placeOfDatabase } from "../../database/access.ts"
import { BackupRefused } from "../../database/backup/BackupRefused.ts"
import { messageOf } from "../../database/DatabaseDown.ts"

/** Tells what is done now, in a few words. */
export type OnStep = (step: string) => Effect.Effect<void>

/**
 * Runs work on the database of this URL. A refusal stays as it is, a file that cannot be read or written becomes one, and any
 * other error is one of the database. The signal is aborted when the work is interrupted.
 */
export const inDatabase = (url: Redacted.Redacted<string>) => {
  const named = (cause: unknown): BackupRefused | DatabaseUnusable => {
    if (cause instanceof BackupRefused) return cause
    return isOfFile(cause as NodeJS.ErrnoException)
      ? new BackupRefused({ message: `A file cannot be read or written: ${messageOf(cause)}` })
      : new DatabaseUnusable({ message: `Postgres at ${placeOfDatabase(url)}: ${messageOf(cause)}`, cause })
  }
  const attempt = <A>(work: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({ try: work, catch: named })
  return Object.assign(attempt, {
    /** The same for an effect that fails with an error of the driver in `cause`. */
    mapError: <A, E extends { readonly cause: unknown }, R>(work: Effect.Effect<A, E, R>) =>
      Effect.mapError(work, ({ cause }) => named(cause))
  })
}

/** An error of a file, and not of a socket: it names a path, or says what only disks are. */
const isOfFile = ({ code, path, syscall }: NodeJS.ErrnoException): boolean =>
  (path !== undefined && syscall !== undefined) || /^(ENOSPC|EDQUOT|EFBIG|EIO|EROFS)$/.test(code ?? "")
