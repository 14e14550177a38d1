/** Writing what was asked for to a file. */
import { writeFile } from "node:fs/promises"
import { Effect } from "effect"
import { plain } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

/** Replaces the file. */
export const saveFile = (path: string, text: string): Effect.Effect<void, UsageError> =>
  Effect.tryPromise({
    try: () => writeFile(path, text),
    catch: () => new UsageError({ message: `${plain(path)} cannot be written` })
  })
