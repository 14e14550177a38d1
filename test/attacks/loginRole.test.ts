/** Row 15: whoever gets a statement into our connections to Postgres must not be its superuser. */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../support/service/command.ts"
import { freshDatabase, rows } from "../support/service/database.ts"
import { bundle, connectSandbox, freePort, startService, until } from "../support/service/Service.ts"
import { api, ask, attack } from "./support/attack.ts"
import { embeddedCluster } from "./support/embeddedCluster.ts"

/** Of every session of the service: who logged in, and what he may. `own`: seen from a superuser's session. */
const sessions = `SELECT a.usename AS login, a.application_name AS application, r.rolsuper, r.rolcreaterole, r.rolcreatedb,
    r.rolbypassrls, r.rolreplication,
    ARRAY(SELECT m.rolname::text FROM pg_roles m WHERE m.rolsuper AND pg_has_role(r.oid, m.oid, 'MEMBER')) AS supers
  FROM pg_stat_activity a JOIN pg_roles r ON r.rolname = a.usename
  WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type = 'client backend'`

describe("the role that logs in", () => {
  let cluster: string
  const lines: Array<string> = []
  const ends: Array<() => Promise<unknown>> = []

  beforeAll(() => {
    cluster = inject("pgUrl")
  })
  afterAll(async () => {
    attack("15", ...lines)
    for (const end of ends.reverse()) await end()
  })

  /** What a login has that it must not have. */
  const powers = (session: any): ReadonlyArray<string> => [
    ...["rolsuper", "rolcreaterole", "rolcreatedb", "rolbypassrls", "rolreplication"].filter(
      (power) => session[power] === true
    ),
    ...session.supers.map((role: string) => `member of ${role}`)
  ]
  const strongest = (found: ReadonlyArray<any>) =>
    [...new Set(found.map((one) => `${one.login}: ${powers(one).join(" ") || "nothing"}`))].sort()

  it("is not a superuser with the embedded Postgres, in any session of the service", async () => {
    const directory = await mkdtemp(join(tmpdir(), "plugfest-attack-"))
    ends.push(() => rm(directory, { recursive: true, force: true }))
    const service = await startService({ DATA_DIR: directory })
    ends.push(() => service.kill("SIGTERM"))
    await connectSandbox(service, { activity: "quiet" })
    await Promise.all(Array.from({ length: 20 }, () => api(service, "/connections")))
    const { port, password } = await embeddedCluster(service, directory)
    const found = await rows(`postgres://plugfest:${password}@127.0.0.1:${port}/postgres`, sessions)
    assert.isNotEmpty(found)
    lines.push(`embedded: ${found.length} sessions, ${strongest(found).join(", ")}`)
    assert.deepStrictEqual(
      found.filter((one) => powers(one).length > 0).map((one) => `${one.login}, ${powers(one)}`),
      []
    )
  }, 90_000)

  it("may be a plain one of one's own, that is given to us: it serves with no power that it has not got", async () => {
    const name = `attack_${randomBytes(4).toString("hex")}`
    const own = new URL(await freshDatabase(cluster))
    const database = own.pathname.slice(1)
    await rows(cluster, `CREATE ROLE ${name} LOGIN PASSWORD 'plain' NOSUPERUSER NOCREATEROLE NOCREATEDB`)
    await rows(cluster, `ALTER DATABASE ${database} OWNER TO ${name}`)
    const superUrl = own.href
    await rows(superUrl, `ALTER SCHEMA public OWNER TO ${name}`)
    own.username = name
    own.password = "plain"
    const service = await startService({ DATABASE_URL: own.href, DATABASE_ALLOW_SUPERUSER: "off" })
    ends.push(() => service.kill("SIGTERM"))
    await connectSandbox(service, { activity: "quiet" })
    const found = await rows(superUrl, sessions)
    lines.push(`own plain role: ${found.length} sessions, ${strongest(found).join(", ")}`)
    assert.isNotEmpty(found)
    assert.deepStrictEqual(
      found.filter((one) => powers(one).length > 0),
      []
    )
  }, 60_000)

  it("is refused at boot when it is a superuser of one's own Postgres, unless that is allowed by a setting", async () => {
    const database = await freshDatabase(cluster)
    const { code, output } = await boot({ DATABASE_URL: database })
    const refused = code !== undefined && code !== 0
    lines.push(`superuser in DATABASE_URL: ${refused ? "refused at boot" : "taken"}`)
    assert.isTrue(refused, `it serves: ${output.slice(-300)}`)
    assert.match(output, /superuser/i)
    const password = decodeURIComponent(new URL(cluster).password)
    if (password !== "") assert.notInclude(output, password, "the message has no password")
    // The setting that allows it stands in the help, and works.
    const { stdout } = await plugfest(["serve", "--help"])
    const setting = /\(([A-Z_]*SUPERUSER[A-Z_]*);/.exec(stdout)?.[1]
    assert.isString(setting, "a setting that allows it")
    const allowed = await boot({ DATABASE_URL: database, [setting!]: "on" })
    assert.isUndefined(allowed.code, allowed.output.slice(-300))
  }, 90_000)

  /** Starts the service with these settings alone; ended again as soon as it listens. */
  const boot = async (env: Record<string, string>) => {
    const port = String(await freePort())
    let output = ""
    let code: number | string | null | undefined
    const child = spawn(process.execPath, [bundle, "serve"], {
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], LOG_FORMAT: "json", PORT: port, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk
      })
    const gone = new Promise<void>((resolve) =>
      child.once("exit", (status, signal) => {
        code = status ?? signal
        resolve()
      })
    )
    await until("it to listen or to end", async () =>
      code !== undefined ||
      (await ask(`http://127.0.0.1:${port}/health/live`, { within: 1000 })).status === 200
        ? true
        : undefined
    )
    const atThen = code
    child.kill("SIGTERM")
    await gone
    return { code: atThen, output }
  }
})
