/** The command was used in a way that cannot work; exit code 2. */
import { Data } from "effect"

export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}
