/** `plugfest keys`: make, list and revoke API keys, straight in the database (no key is needed for it). */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { allScopes, type Scope } from "../../../schema/Account.ts"
import { createKey, listKeys, revokeKey } from "../../main.ts"
import { settingFlags, settingsFrom } from "../settingFlags.ts"
import { plain, Terminal } from "../Terminal.ts"
import { UsageError } from "../UsageError.ts"

const flags = settingFlags(["databaseUrl", "dataDir", "encryptionKeys"])
const account = Options.text("account").pipe(
  Options.withDescription("the account that owns the key"),
  Options.withDefault("default")
)

const create = Command.make(
  "create",
  {
    flags,
    account,
    name: Options.text("name").pipe(
      Options.withDescription("what the key is for"),
      Options.withDefault("cli")
    ),
    scope: Options.choice("scope", allScopes).pipe(
      Options.withDescription("may be given several times; all scopes when left out"),
      Options.repeated
    ),
    expires: Options.text("expires").pipe(
      Options.withDescription("days from now, e.g. 90d"),
      Options.optional
    )
  },
  Effect.fn(function* (given) {
    const terminal = yield* Terminal
    const days = yield* Option.match(given.expires, {
      onNone: () => Effect.succeed(undefined),
      onSome: (text) =>
        /^\d{1,5}d?$/.test(text)
          ? Effect.succeed(Number.parseInt(text, 10))
          : Effect.fail(new UsageError({ message: `--expires is "${plain(text)}"; expected days, e.g. 90d` }))
    })
    const scopes: ReadonlyArray<Scope> = given.scope.length > 0 ? given.scope : allScopes
    const settings = yield* settingsFrom(given.flags)
    const made = yield* createKey(settings, {
      account: given.account,
      name: given.name,
      scopes,
      expiresInDays: days
    })
    yield* terminal.say(`Key ${made.view._id} of account ${plain(given.account)}: shown now and never again.`)
    yield* terminal.print(made.secret)
  })
).pipe(Command.withDescription("Make a key; it is printed once, alone on stdout"))

const list = Command.make(
  "list",
  { flags, account },
  Effect.fn(function* (given) {
    const terminal = yield* Terminal
    const keys = yield* listKeys(yield* settingsFrom(given.flags), given.account)
    if (keys.length === 0) yield* terminal.say("No keys. Make one: plugfest keys create")
    for (const key of keys) {
      const state =
        key.revokedAt !== null
          ? `revoked ${key.revokedAt}`
          : key.expiresAt !== null
            ? `expires ${key.expiresAt}`
            : "active"
      const used = key.lastUsedAt === null ? "never used" : `last used ${key.lastUsedAt}`
      yield* terminal.print(
        [key._id, `${key.prefix}…${key.last4}`, plain(key.name), key.scopes.join(","), state, used].join("  ")
      )
    }
  })
).pipe(Command.withDescription("List the keys of an account: prefix, last four, scopes, use"))

const revoke = Command.make(
  "revoke",
  { flags, account, id: Args.text({ name: "key-id" }) },
  Effect.fn(function* (given) {
    const terminal = yield* Terminal
    yield* revokeKey(yield* settingsFrom(given.flags), given.account, given.id).pipe(
      Effect.catchTag("NotFound", () => {
        const message = `No key ${plain(given.id)} in account ${plain(given.account)}`
        return new UsageError({ message })
      })
    )
    return yield* terminal.say(`Key ${plain(given.id)} is revoked.`)
  })
).pipe(Command.withDescription("Revoke a key at once"))

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("API keys"),
  Command.withSubcommands([create, list, revoke])
)
