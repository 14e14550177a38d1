/**
 * As whom our connections log in, and what that login could become. A statement that somebody slips us can always say
 * `RESET ROLE`, so what counts is the login and not the role that its sessions begin with.
 */
import { Redacted } from "effect"
import pg from "pg"
import { scramVerifier } from "./scramVerifier.ts"

/** As whom our connections run after the migrations; null: as the login role, because there may be no other. */
export type AppRole = "plugfest_app" | null

export const appRole = "plugfest_app"

/** What Postgres has to say about the login that serves. */
export interface LoginStanding {
  readonly login: string
  readonly role: AppRole
  /** Its own tables: it could switch off what keeps ledger lines as they are. */
  readonly ownsTables: boolean
  /** It may make roles and grant them: before Postgres 16, to itself whatever is no superuser's. */
  readonly makesRoles: boolean
}

/** Whom a URL logs in, with PGUSER and PGPASSWORD as node-postgres reads them. */
export function loginOf(url: Redacted.Redacted<string>) {
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
    `DATABASE_URL logs in as "${login}", which ${why}. Give this login as DATABASE_ADMIN_URL (it migrates), and as DATABASE_URL the same database with a login of its own, e.g. plugfest_service and a new password: it is made if it is not there. Or say DATABASE_ALLOW_SUPERUSER=on`
  )
}

/**
 * Makes the login that serves where there is none, and lets it act as `plugfest_app`. `ours`: nobody else sets its
 * password. Client: an administrator's.
 */
export async function provideLogin(client: pg.Client, url: Redacted.Redacted<string>): Promise<void> {
  const { password, user } = loginOf(url)
  const name = pg.escapeIdentifier(user)
  if (!(await mayUseRole(client))) {
    throw new Error(
      `DATABASE_ADMIN_URL logs in as "${client.user}", which may not make or grant the role ${appRole}. As a superuser: CREATE ROLE ${appRole} NOLOGIN; GRANT ${appRole} TO ${pg.escapeIdentifier(client.user ?? "")} WITH ADMIN OPTION`
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

/** Gives a login that is ours the password of its URL: the file that keeps it may be newer than the database. */
export async function renewPassword(client: pg.Client, url: Redacted.Redacted<string>): Promise<void> {
  const { password, user } = loginOf(url)
  await unlessMade(client, `ALTER ROLE ${pg.escapeIdentifier(user)} ${passwordClause(password)}`)
}

/** How the login that serves stands, seen from its own connection. */
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

/** Makes the role where that is allowed, and says whether this login may act as it. */
export async function mayUseRole(client: pg.Client): Promise<boolean> {
  if (await canActAs(client)) return true
  for (const statement of [`CREATE ROLE ${appRole} NOLOGIN`, `GRANT ${appRole} TO CURRENT_USER`]) {
    await unlessMade(client, statement).catch(() => {})
  }
  return canActAs(client)
}

async function canActAs(client: pg.Client): Promise<boolean> {
  return client.query(`SET ROLE ${appRole}`).then(
    () => client.query("RESET ROLE").then(() => true),
    () => false
  )
}

/** False in a database whose tables were made while the role was not allowed, and in one that has none. */
async function hasGrants(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ granted: boolean }>(
    `SELECT count(*) = 4 AND bool_and(has_table_privilege('${appRole}', oid, 'SELECT')) granted
     FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relname IN ('api_key', 'connection', 'party', 'ledger_event')`
  )
  return rows[0]?.granted === true
}

/** Roles belong to the whole server: the start of another database's plugfest may do the same at this instant. */
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
      "The password of DATABASE_URL has other characters than printable ASCII: make its login yourself"
    )
  }
  return `PASSWORD ${pg.escapeLiteral(verifier)}`
}
