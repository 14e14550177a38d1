/** The error of a backup or a restore that cannot be made as it was asked for. */
import { Data } from "effect"

/**
 * A folder that cannot be used, a backup that is damaged or of a newer version, a database that is not empty. Nothing was
 * written, or what was written has been removed. The message says what to change.
 */
export class BackupRefused extends Data.TaggedError("BackupRefused")<{ readonly message: string }> {}
