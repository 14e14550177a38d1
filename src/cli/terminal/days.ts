/** Days as a flag says them. */
import { Effect } from "effect"
import { plain } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

/** The days in the text of `--older-than`, e.g. `90d` or `90`. */
export const daysOf = (text: string): Effect.Effect<number, UsageError> =>
  /^\d{1,5}d?$/.test(text)
    ? Effect.succeed(Number.parseInt(text, 10))
    : new UsageError({ message: `--older-than is "${plain(text)}"; expected days, e.g. 90d` })
