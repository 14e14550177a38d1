/** The error of wrong arguments, flags or files. */
import { Data } from "effect"

/** The command line was used in a way that cannot work; exit code 2. `message` says what to change. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}
