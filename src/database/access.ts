/** Opens Postgres: waits for it, migrates it, and checks the login that serves. */
import { Clock, Data, Effect, Redacted } from "effect"
import type pg from "pg"
import { traced } from "../telemetry/traced.ts"
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
  ensureAppRole,
  type LoginStanding,
  provideLogin,
  refuseSuperuser,
  renewPassword,
  standingOf
} from "./logins/logins.ts"
import { migrate, type SetupFailed, withClient } from "./migrate.ts"
import { migrations } from "./migrations/all.ts"
import { cellLetter } from "./newId.ts"
import { connectionOf } from "./pool.ts"
import { checkPooler } from "./pooler.ts"
import { everySecond } from "./retry.ts"

/**
 * Postgres answers but cannot be used: wrong password, no such database, a login with too many rights, a migration that
 * fails. The message says what to change.
 */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The logins, and what each is for. */
export interface Access {
  /** The login that serves. */
  readonly url: Redacted.Redacted<string>
  /** The login that owns the tables and migrates; undefined: the login that serves also migrates. */
  readonly adminUrl: Redacted.Redacted<string> | undefined
  /** Only plugfest uses the login of `url`, so its password may be set anew. */
  readonly ours: boolean
  readonly allowSuperuser: boolean
}

/** What is known once Postgres is open. */
interface Opened {
  readonly role: AppRole
  readonly place: DatabaseAddress
  readonly addresses: AddressSet
}

/**
 * Waits for Postgres, warning once, and migrates it. Returns the role for our connections, and the addresses of the
 * database.
 */
export const openDatabase = (access: Access, onWait: Effect.Effect<void>) =>
  Effect.suspend(() => {
    let warned = false
    return prepare(access).pipe(
      Effect.tapError((error) => {
        if (!isLoss(error)) return Effect.void
        const warning = warned
          ? Effect.void
          : Effect.logWarning(
              `Postgres at ${placeOfDatabase(access.url)} is away (${messageOf(error)}); plugfest tries again every second`
            )
        warned = true
        return Effect.zip(warning, onWait)
      }),
      Effect.retry({ while: isLoss, schedule: everySecond }),
      Effect.mapError(
        (error) =>
          new DatabaseUnusable({
            message: `Postgres at ${placeOfDatabase(access.url)}: ${messageOf(error)}`,
            cause: error
          })
      ),
      Effect.withClock(Clock.make()) // Postgres gets ready in real time, under a test's clock too
    )
  })

const prepare = traced("Database.prepare")(function* (access: Access) {
  const { adminUrl, allowSuperuser, ours, url } = access
  const dialledPlace = yield* dialled(url)
  const places = adminUrl === undefined ? [dialledPlace] : [dialledPlace, yield* dialled(adminUrl)]
  const serving = configOf(url)
  const refused = async (client: pg.Client) => {
    if (!allowSuperuser) await refuseSuperuser(client)
  }
  let missing: string | undefined
  const prepared = async (client: pg.Client) => {
    missing = await makePartitions(client)
  }
  if (adminUrl === undefined) {
    const after = async (client: pg.Client) => {
      await ensureAppRole(client)
      await prepared(client)
    }
    yield* migrate(serving, migrations, { before: refused, after })
  } else {
    const after = async (client: pg.Client) => {
      await provideLogin(client, url)
      await prepared(client)
    }
    yield* migrate(configOf(adminUrl), migrations, { after })
  }
  if (missing !== undefined)
    yield* Effect.logWarning(
      `The partitions of the coming months are not made yet (${missing}); what belongs there is kept in the default partition until they are`
    )
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
  yield* checkPooler(connectionOf(url, standing.role), standing.role)
  return { role: standing.role, place: dialledPlace, addresses } satisfies Opened
})

/**
 * Makes the partitions of this month and the two after it. Returns why not: a start waits for nobody's lock on them. Those of exchanges
 * depend on how long they are kept, which `MonthlyPartitions` knows.
 */
const makePartitions = (client: pg.Client): Promise<string | undefined> =>
  client
    .query("SELECT make_partitions('ledger_event', $1), make_partitions('audit_entry', $1)", [cellLetter()])
    .then(() => undefined, messageOf)

/** The configuration of a connection that is not one of the pool. */
export const configOf = (url: Redacted.Redacted<string>): pg.ClientConfig => ({
  connectionString: Redacted.value(url),
  application_name: "plugfest"
})

function isWrongPassword({ cause }: SetupFailed): boolean {
  return (cause as { readonly code?: unknown } | undefined)?.code === "28P01"
}

const warnOf = ({ login, ownsTables, role }: LoginStanding) =>
  role === null
    ? Effect.logWarning(
        `The login of DATABASE_URL may not use the role ${appRole}: only triggers keep the ledger append-only. Let the login create roles, or create the role for it`
      )
    : ownsTables
      ? Effect.logWarning(
          `The login "${login}" of DATABASE_URL owns the tables, so it can switch off the triggers that keep the ledger append-only. Give this login as DATABASE_ADMIN_URL, for migrations only, and another login as DATABASE_URL`
        )
      : Effect.void

const requireSeparateLogins = ({ login, makesRoles, ownsTables, role }: LoginStanding) =>
  role === null
    ? new DatabaseUnusable({
        message: `The login "${login}" of DATABASE_URL may not act as ${appRole}, or that role has no rights on the tables: the tables belong to another database, or a login that may not create roles made them`
      })
    : ownsTables || makesRoles
      ? Effect.logWarning(
          `DATABASE_URL logs in as "${login}", which ${ownsTables ? "is or may act as the owner of the tables" : "may create roles"}: a separate DATABASE_ADMIN_URL then protects little`
        )
      : Effect.void

/** Host and database of a URL, without its password; only "DATABASE_URL" if the password may stand elsewhere in it. */
export function placeOfDatabase(url: Redacted.Redacted<string>): string {
  const text = Redacted.value(url)
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || (text.includes("@") && parsed.username === "")) return "DATABASE_URL"
  return `${parsed.host}${parsed.pathname}`
}
