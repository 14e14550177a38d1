/** Manages API keys and reads their audit log, directly in the database, so no API key is needed. */
import { Args, Command, Options } from "@effect/cli"
import { Clock, Effect, Option } from "effect"
import { type ApiKeyView, allScopes, type Scope } from "../../../schema/Account.ts"
import { auditOf, createKey, generateKey, listKeys, revokeKey, rollKey } from "../../operator.ts"
import { databaseSettings, settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { besideTheAnswer } from "../terminal/logging.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

const flags = settingFlags([...databaseSettings, "encryptionKeys"])
const account = Options.text("account").pipe(
  Options.withDescription("the account that owns the key; default: default"),
  Options.withDefault("default")
)

const json = Options.boolean("json").pipe(Options.withDescription("print the list as JSON"))

const create = Command.make(
  "create",
  {
    flags,
    account,
    name: Options.text("name").pipe(
      Options.withDescription("what the key is for; default: cli"),
      Options.withDefault("cli")
    ),
    scope: Options.choice("scope", allScopes).pipe(
      Options.withDescription("a scope of the key; default: all scopes"),
      Options.repeated
    ),
    expires: Options.text("expires").pipe(
      Options.withPseudoName("days"),
      Options.withDescription("days from now, e.g. 90d; default: never"),
      Options.optional
    )
  },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    const days = yield* Option.match(given.expires, {
      onNone: () => Effect.succeed(undefined),
      onSome: (text) =>
        /^\d{1,5}d?$/.test(text)
          ? Effect.succeed(Number.parseInt(text, 10))
          : Effect.fail(new UsageError({ message: `--expires is "${plain(text)}"; expected days, e.g. 90d` }))
    })
    if (given.name.trim() === "")
      return yield* new UsageError({ message: "--name is empty; say what the key is for" })
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
).pipe(Command.withDescription("Make an API key; its secret is printed once, as the only line on stdout"))

const generate = Command.make("generate", {}, () =>
  Effect.gen(function* () {
    const terminal = yield* TerminalOutput
    yield* terminal.say(
      "A key for BOOTSTRAP_API_KEY. It is stored nowhere and has no effect until that setting has it."
    )
    yield* terminal.print(yield* generateKey)
  })
).pipe(Command.withDescription("Print a new key for BOOTSTRAP_API_KEY; nothing is stored"))

const list = Command.make(
  "list",
  { flags, account, json },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    const keys = yield* listKeys(yield* settingsFrom(given.flags), given.account)
    if (given.json) return yield* terminal.print(JSON.stringify(keys))
    if (keys.length === 0) yield* terminal.say("No keys. Make one: plugfest keys create")
    for (const key of keys) {
      const state = stateOf(key, yield* Clock.currentTimeMillis)
      const used = key.lastUsedAt === null ? "never used" : `last used ${key.lastUsedAt}`
      yield* terminal.print(
        [key._id, `${key.prefix}…${key.last4}`, plain(key.name), key.scopes.join(","), state, used].join("  ")
      )
    }
  })
).pipe(
  Command.withDescription(
    "List the API keys of an account: prefix, last four characters, scopes, state, last use"
  )
)

const revoke = Command.make(
  "revoke",
  {
    flags,
    account,
    id: Args.text({ name: "key-id" }).pipe(
      Args.withDescription("the id of the key; plugfest keys list shows it")
    )
  },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    yield* revokeKey(yield* settingsFrom(given.flags), given.account, given.id).pipe(
      Effect.catchTag("NotFound", () => noKey(given))
    )
    return yield* terminal.say(`Key ${plain(given.id)} is revoked.`)
  })
).pipe(Command.withDescription("Revoke an API key at once"))

const roll = Command.make(
  "roll",
  {
    flags,
    account,
    overlap: Options.text("overlap").pipe(
      Options.withPseudoName("days"),
      Options.withDescription("days for which the old key is still accepted, 0 to 7, e.g. 2d; default: 0"),
      Options.withDefault("0")
    ),
    id: Args.text({ name: "key-id" }).pipe(
      Args.withDescription("the id of the key; plugfest keys list shows it")
    )
  },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    const days = /^([0-7])d?$/.exec(given.overlap)?.[1]
    if (days === undefined) {
      const message = `--overlap is "${plain(given.overlap)}"; expected days from 0 to 7, e.g. 2d`
      return yield* new UsageError({ message })
    }
    const settings = yield* settingsFrom(given.flags)
    const made = yield* rollKey(settings, given.account, given.id, Number(days)).pipe(
      Effect.catchTag("NotFound", () => noKey(given)),
      Effect.catchTag("Conflict", ({ message }) => new UsageError({ message }))
    )
    const end = days === "0" ? "is revoked" : `is accepted for ${days} more days`
    yield* terminal.say(
      `Key ${made.view._id} replaces ${plain(given.id)}, which ${end}. It is shown now and never again.`
    )
    return yield* terminal.print(made.secret)
  })
).pipe(
  Command.withDescription(
    "Replace an API key by a new one; its secret is printed once, as the only line on stdout"
  )
)

const audit = Command.make(
  "audit",
  {
    flags,
    account,
    json,
    key: Options.text("key").pipe(Options.withDescription("only entries of this key"), Options.optional),
    limit: Options.integer("limit").pipe(
      Options.withDescription("number of entries, newest first; default: 50"),
      Options.withDefault(50)
    )
  },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    if (given.limit < 1 || given.limit > 10_000) {
      return yield* new UsageError({ message: `--limit is ${given.limit}; expected 1 to 10000` })
    }
    const entries = yield* auditOf(yield* settingsFrom(given.flags), given.account, {
      limit: given.limit,
      ...(Option.isSome(given.key) ? { keyId: given.key.value } : {})
    })
    if (given.json) return yield* terminal.print(JSON.stringify(entries))
    if (entries.length === 0) yield* terminal.say("The audit log of this account is empty.")
    for (const { action, at, key, replay, result, status, target } of entries) {
      const who = key === null ? "operator" : `${key._id} ${plain(key.name)}`
      const what = [target, result === target ? null : result].filter((id) => id !== null).join(" -> ")
      const did = replay ? `${action} (answer repeated)` : action
      yield* terminal.print([at, String(status ?? "unknown"), did, plain(what) || "-", who].join("  "))
    }
  })
).pipe(
  Command.withDescription("Print the audit log of the account's API keys: time, status, action, object, key")
)

/** `plugfest keys`: manages API keys, directly in the database. A new secret is the only line on stdout. */
export const keysCommand = Command.make("keys").pipe(
  Command.withSubcommands([create, generate, list, roll, revoke, audit]),
  Command.provide(besideTheAnswer)
)

function noKey({ account, id }: { readonly account: string; readonly id: string }): UsageError {
  return new UsageError({ message: `No key ${plain(id)} in account ${plain(account)}` })
}

function stateOf({ expiresAt, revokedAt }: ApiKeyView, now: number): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`
  if (expiresAt === null) return "active"
  return `${Date.parse(expiresAt) <= now ? "expired" : "expires"} ${expiresAt}`
}
