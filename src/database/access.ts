/** Getting at Postgres: waiting for it, migrating it, and who serves on it. */
import { Clock, Data, Effect, Redacted, Schedule } from "effect"
import type pg from "pg"
import { isLoss, messageOf } from "./DatabaseDown.ts"
import {
  type AddressSet,
  type DatabaseAddress,
  dialled,
  everyAddress,
  makeAddressSet,
  serverAddress
} from "./databaseAddress.ts"
import {
  type AppRole,
  appRole,
  type LoginStanding,
  mayUseRole,
  provideLogin,
  refuseSuperuser,
  renewPassword,
  standingOf
} from "./logins.ts"
import { migrate, type SetupFailed, withClient } from "./migrate.ts"
import { migrations } from "./migrations/all.ts"

/** Postgres is there but cannot serve us: wrong password, no such database, a migration that fails. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Whom we log in as, for what. */
export interface Access {
  /** As whom we serve. */
  readonly url: Redacted.Redacted<string>
  /** The owner of the tables, who migrates; undefined: whoever serves does that too. */
  readonly adminUrl: Redacted.Redacted<string> | undefined
  /** The login of `url` is nobody else's: its password may be set anew. */
  readonly ours: boolean
  readonly allowSuperuser: boolean
}

/** What is known once Postgres is there. */
export interface Opened {
  readonly role: AppRole
  readonly place: DatabaseAddress
  readonly addresses: AddressSet
}

/** Waits for Postgres, warning once, and migrates it. Answers the role for our connections, and where it is. */
export const openDatabase = (access: Access, onWait: Effect.Effect<void>) =>
  Effect.suspend(() => {
    let warned = false
    return prepare(access).pipe(
      Effect.tapError((error) => {
        if (!isLoss(error)) return Effect.void
        const warning = warned
          ? Effect.void
          : Effect.logWarning(
              `Postgres at ${place(access.url)} is away (${messageOf(error)}); trying again every second`
            )
        warned = true
        return Effect.zip(warning, onWait)
      }),
      Effect.retry({ while: isLoss, schedule: Schedule.spaced("1 second") }),
      Effect.mapError(
        (error) =>
          new DatabaseUnusable({
            message: `Postgres at ${place(access.url)}: ${messageOf(error)}`,
            cause: error
          })
      ),
      Effect.withClock(Clock.make()) // Postgres gets ready in real time, under a test's clock too
    )
  })

const prepare = Effect.fn("Database.prepare")(function* (access: Access) {
  const { adminUrl, allowSuperuser, ours, url } = access
  const dialledPlace = yield* dialled(url)
  const places = adminUrl === undefined ? [dialledPlace] : [dialledPlace, yield* dialled(adminUrl)]
  const serving = configOf(url)
  const refused = async (client: pg.Client) => {
    if (!allowSuperuser) await refuseSuperuser(client)
  }
  if (adminUrl === undefined) {
    const after = async (client: pg.Client) => void (await mayUseRole(client))
    yield* migrate(serving, migrations, { before: refused, after })
  } else {
    yield* migrate(configOf(adminUrl), migrations, { after: (client) => provideLogin(client, url) })
  }
  const looked = withClient(serving, async (client) => {
    await refused(client)
    const addresses = makeAddressSet((await Promise.all(places.map(everyAddress))).flat())
    addresses.add(await serverAddress(client))
    return { standing: await standingOf(client), addresses }
  })
  const { addresses, standing } = yield* adminUrl !== undefined && ours
    ? Effect.catchIf(looked, isWrongPassword, () =>
        Effect.zipRight(
          withClient(configOf(adminUrl), (client) => renewPassword(client, url)),
          looked
        )
      )
    : looked
  yield* adminUrl === undefined ? warnOf(standing) : requireSeparateLogins(standing)
  return { role: standing.role, place: dialledPlace, addresses } satisfies Opened
})

const configOf = (url: Redacted.Redacted<string>): pg.ClientConfig => ({
  connectionString: Redacted.value(url),
  application_name: "plugfest"
})

function isWrongPassword({ cause }: SetupFailed): boolean {
  return (cause as { readonly code?: unknown } | undefined)?.code === "28P01"
}

const warnOf = ({ login, ownsTables, role }: LoginStanding) =>
  role === null
    ? Effect.logWarning(
        `The database login may not use a role ${appRole}: the append-only ledger is guarded by its triggers only`
      )
    : ownsTables
      ? Effect.logWarning(
          `The database login "${login}" owns the tables, so that it could switch off what guards the ledger. DATABASE_ADMIN_URL takes it for migrations alone; DATABASE_URL is then a login of its own`
        )
      : Effect.void

const requireSeparateLogins = ({ login, makesRoles, ownsTables, role }: LoginStanding) =>
  role === null
    ? new DatabaseUnusable({
        message: `The login "${login}" of DATABASE_URL may not act as ${appRole}, or the tables are not granted to that role: they are another database's, or were made by a login that may not make roles`
      })
    : ownsTables || makesRoles
      ? Effect.logWarning(
          `DATABASE_URL logs in as "${login}", which ${ownsTables ? "is or may act as the owner of the tables" : "may make roles"}: DATABASE_ADMIN_URL beside it protects little`
        )
      : Effect.void

/** Host and database of a URL, without its password; nothing of a URL that may hide one elsewhere. */
function place(url: Redacted.Redacted<string>): string {
  const text = Redacted.value(url)
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || (text.includes("@") && parsed.username === "")) return "DATABASE_URL"
  return `${parsed.host}${parsed.pathname}`
}
