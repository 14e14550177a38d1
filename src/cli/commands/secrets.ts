/** Re-encrypts stored secrets with a new key, directly in the database, while servers run. */
import { Command } from "@effect/cli"
import { Effect } from "effect"
import { resealSecrets } from "../../operator.ts"
import { databaseSettings, settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { besideTheAnswer } from "../terminal/logging.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

const rotate = Command.make(
  "rotate",
  { flags: settingFlags([...databaseSettings, "encryptionKeys", "signingKeys"]) },
  Effect.fn(function* ({ flags }) {
    const terminal = yield* TerminalOutput
    const { resealed, unreadable } = yield* resealSecrets(yield* settingsFrom(flags))
    yield* terminal.say(
      `${resealed} ${resealed === 1 ? "secret" : "secrets"} sealed with the first encryption key`
    )
    if (unreadable.length > 0) {
      return yield* new UsageError({
        message: [
          `${unreadable.length} cannot be read with the configured keys:`,
          ...unreadable.map(plain)
        ].join("\n")
      })
    }
  })
).pipe(
  Command.withDescription(
    "Encrypt every stored secret with the first of ENCRYPTION_KEYS. Give that key to all servers before; remove the old one after"
  )
)

/**
 * `plugfest secrets`: re-encrypts stored secrets, directly in the database. Exit code 2 when some secrets cannot be
 * decrypted with the given keys.
 */
export const secretsCommand = Command.make("secrets").pipe(
  Command.withSubcommands([rotate]),
  Command.provide(besideTheAnswer)
)
