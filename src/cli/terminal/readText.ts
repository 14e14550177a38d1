/** Reads a file that an argument names. */
import { readFile } from "node:fs/promises"
import { text as textOf } from "node:stream/consumers"
import { Effect } from "effect"
import { plain } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it"
}

/** The text of the file, of stdin for `-`; UsageError says why it cannot be read. */
export const readText = (path: string): Effect.Effect<string, UsageError> =>
  Effect.tryPromise({
    try: () => (path === "-" ? textOf(process.stdin) : readFile(path, "utf8")),
    catch: (error) => {
      const { code = "" } = error as NodeJS.ErrnoException
      const reason = reasons[code] ?? code
      const name = path === "-" ? "stdin" : plain(path)
      return new UsageError({ message: `${name} cannot be read${reason === "" ? "" : `: ${reason}`}` })
    }
  })
