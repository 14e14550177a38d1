/**
 * The logins of our connections, and what rights they could get. An injected statement can always say `RESET ROLE`, so
 * the rights of the login count, not those of the role that its sessions begin with.
 */
import { Redacted } from "effect"
import pg from "pg"
import { scramVerifier } from "./scramVerifier.ts"

/** The role of our connections after the migrations; null: they keep the login's own, because it may use no other. */
export type AppRole = "plugfest_app" | null

/** The role that owns nothing and may not change ledger lines; `provideLogin` and `ensureAppRole` create it. */
export const appRole = "plugfest_app"

/** The rights of the login that serves. */
export interface LoginStanding {
  readonly login: string
  readonly role: AppRole
  /** It is, or may act as, the owner of the tables: it could switch off the ledger's triggers. */
  readonly ownsTables: boolean
  /** It may create roles and grant them: before Postgres 16, to itself any role that is no superuser. */
  readonly makesRoles: boolean
}

/** User and password of a URL, with PGUSER and PGPASSWORD as node-postgres reads them. */
function loginOf(url: Redacted.Redacted<string>) {
  const { password, user } = new pg.Client({ connectionString: Redacted.value(url) })
  return {
    user: user ?? "",
    password: typeof password === "string" && password !== "" ? password : undefined
  }
}

/**
 * Throws when the login is a superuser or can become one: by a membership, or by one of the predefined roles that reach
 * the server's files and programs.
 */
export async function refuseSuperuser(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; itself: boolean; reaches: ReadonlyArray<string> }>(`
    SELECT session_user::text login,
      (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) itself,
      array(SELECT rolname::text FROM pg_roles
        WHERE (rolsuper OR rolname IN ('pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files'))
          AND pg_has_role(session_user, oid, 'MEMBER') ORDER BY rolname) reaches`)
  const { itself, login, reaches } = rows[0]!
  if (!itself && reaches.length === 0) return
  const why = itself ? "is a superuser" : `may act as ${reaches.join(", ")} and so become a superuser`
  throw new Error(
    `DATABASE_URL logs in as "${login}", which ${why}. Give this login as DATABASE_ADMIN_URL (it migrates), and as DATABASE_URL the same database with another login, e.g. plugfest_service and a new password: plugfest creates it if it does not exist. Or set DATABASE_ALLOW_SUPERUSER=on`
  )
}

/**
 * Creates the login of `url` if there is none, and lets it act as `plugfest_app`. `client`: an administrator's. Throws
 * when the administrator may not create or grant roles.
 */
export async function provideLogin(client: pg.Client, url: Redacted.Redacted<string>): Promise<void> {
  const { password, user } = loginOf(url)
  const name = pg.escapeIdentifier(user)
  if (!(await ensureAppRole(client))) {
    throw new Error(
      `DATABASE_ADMIN_URL logs in as "${client.user}", which may not create or grant the role ${appRole}. Run as a superuser: CREATE ROLE ${appRole} NOLOGIN; GRANT ${appRole} TO ${pg.escapeIdentifier(client.user ?? "")} WITH ADMIN OPTION`
    )
  }
  const known = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [user])
  if (known.rowCount === 0) {
    await unlessMade(
      client,
      `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS ${passwordClause(password)}`
    )
  }
  const { rows } = await client.query<{ member: boolean }>(
    "SELECT pg_has_role($1::name, $2::name, 'MEMBER') member",
    [user, appRole]
  )
  if (rows[0]?.member !== true) await unlessMade(client, `GRANT ${appRole} TO ${name}`)
}

/** Sets the password of the login to the one of its URL: the file that keeps it may be newer than the database. */
export async function renewPassword(client: pg.Client, url: Redacted.Redacted<string>): Promise<void> {
  const { password, user } = loginOf(url)
  await unlessMade(client, `ALTER ROLE ${pg.escapeIdentifier(user)} ${passwordClause(password)}`)
}

/** The rights of the login that serves, asked on its own connection. */
export async function standingOf(client: pg.Client): Promise<LoginStanding> {
  const role = (await canActAs(client)) && (await hasGrants(client)) ? appRole : null
  const { rows } = await client.query<Omit<LoginStanding, "role">>(
    `SELECT session_user::text "login",
       (SELECT rolcreaterole FROM pg_roles WHERE rolname = session_user) "makesRoles",
       coalesce((SELECT pg_has_role(session_user, relowner, 'MEMBER') FROM pg_class
       WHERE oid = to_regclass('public.ledger_event')), false) "ownsTables"`
  )
  return { ...rows[0]!, role }
}

/** Creates the role `plugfest_app` if the login may. Returns whether the login may act as it. */
export async function ensureAppRole(client: pg.Client): Promise<boolean> {
  if (await canActAs(client)) return true
  for (const statement of [`CREATE ROLE ${appRole} NOLOGIN`, `GRANT ${appRole} TO CURRENT_USER`]) {
    await unlessMade(client, statement).catch(() => {})
  }
  return canActAs(client)
}

/** The user that gets rights on new tables, as SQL for a GRANT: the role, or the login itself where it may not act as the role. */
export type TableUser = typeof appRole | "CURRENT_USER"

/** The user of the tables that this login makes. */
export const tableUserOf = async (client: pg.Client): Promise<TableUser> =>
  (await ensureAppRole(client)) ? appRole : "CURRENT_USER"

async function canActAs(client: pg.Client): Promise<boolean> {
  return client.query(`SET ROLE ${appRole}`).then(
    () => client.query("RESET ROLE").then(() => true),
    () => false
  )
}

/** False in a database without our tables, or whose tables were created while the login might not use the role. */
async function hasGrants(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ granted: boolean }>(
    `SELECT count(*) = 4 AND bool_and(has_table_privilege('${appRole}', oid, 'SELECT')) granted
     FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relname IN ('api_key', 'connection', 'party', 'ledger_event')`
  )
  return rows[0]?.granted === true
}

/** Roles belong to the whole server: another database's plugfest may create the same one at this instant. */
async function unlessMade(client: pg.Client, statement: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await client.query(statement)
      return
    } catch (error) {
      const { code } = error as { readonly code?: string }
      if (code === "42710" || code === "23505") return // duplicate_object, or its row in this very instant
      if (code !== "XX000" || tries === 5) throw error // "tuple concurrently updated"
    }
  }
}

function passwordClause(password: string | undefined): string {
  if (password === undefined) return "" // known in another way, e.g. by a certificate
  const verifier = scramVerifier(password)
  if (verifier === undefined) {
    throw new Error(
      "The password of DATABASE_URL contains characters other than printable ASCII: create this login yourself"
    )
  }
  return `PASSWORD ${pg.escapeLiteral(verifier)}`
}
