/** `plugfest secrets rotate`: a new encryption key takes over, straight in the database, while servers go on. */
import { Command } from "@effect/cli"
import { Effect } from "effect"
import { resealSecrets } from "../../operator.ts"
import { besideTheAnswer } from "../logging.ts"
import { databaseSettings, settingFlags, settingsFrom } from "../settingFlags.ts"
import { plain, TerminalOutput } from "../Terminal.ts"
import { UsageError } from "../UsageError.ts"

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
    "Seal every stored secret with the first of ENCRYPTION_KEYS. Servers must read that key already; then the old one may go"
  )
)

export const secretsCommand = Command.make("secrets").pipe(
  Command.withDescription("Partner secrets at rest"),
  Command.withSubcommands([rotate]),
  Command.provide(besideTheAnswer)
)
