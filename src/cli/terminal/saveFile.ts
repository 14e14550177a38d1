/** Writes a result to a file. */
import { writeFile } from "node:fs/promises"
import { Effect } from "effect"
import { plain } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

/** Writes the text, replacing an existing file; UsageError when it cannot be written. */
export const saveFile = (path: string, text: string): Effect.Effect<void, UsageError> =>
  Effect.tryPromise({
    try: () => writeFile(path, text),
    catch: () => new UsageError({ message: `${plain(path)} cannot be written` })
  })
