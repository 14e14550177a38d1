/** PgBouncer of Debian's package before a Postgres. */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serverAccount } from "../../../src/database/embedded/serverAccount.ts"
import { program } from "../../../test/support/programs.ts"
import { rows } from "../../../test/support/service/database.ts"
import { freePort, until } from "../../../test/support/service/Service.ts"

/** Path of the program, which is installed where that may be done; undefined: there is none. */
export const findPgbouncer = (): string | undefined =>
  program({ names: ["pgbouncer"], debianPackage: "pgbouncer" })

/** How it pools, and which parameters of a connection it may leave out. */
export interface Pooling {
  readonly mode: "session" | "transaction"
  readonly ignored: ReadonlyArray<string>
}

/** A PgBouncer that can be killed and started again at its address. */
export interface Pgbouncer {
  /** The URL of the same database and login through it. */
  readonly through: (url: string) => string
  readonly start: (pooling: Pooling) => Promise<void>
  readonly kill: () => Promise<void>
  readonly dispose: () => Promise<void>
}

/** Not started yet. `url`: of a login of that server; `logins`: the other ones, with their passwords. */
export async function pgbouncerBefore(
  pgbouncer: string,
  url: string,
  logins: Readonly<Record<string, string>>
): Promise<Pgbouncer> {
  const account = serverAccount() ?? {} // it does not run as root
  const folder = mkdtempSync(join(tmpdir(), "plugfest-pgbouncer-"))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const { hostname, password, port: behind, username } = new URL(url)
  const through = (to: string) => {
    const other = new URL(to)
    other.port = String(port)
    return other.href
  }
  const users = join(folder, "users.txt")
  const all = { ...logins, [username]: password }
  writeFileSync(
    users,
    Object.entries(all)
      .map(([name, secret]) => `"${name}" "${secret}"\n`)
      .join("")
  )
  let child: ChildProcess | undefined
  const start = async ({ ignored, mode }: Pooling) => {
    const configuration = join(folder, "pgbouncer.ini")
    writeFileSync(
      configuration,
      `[databases]
* = host=${hostname} port=${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 50
max_client_conn = 200
ignore_startup_parameters = ${ignored.join(",")}
`
    )
    const started = spawn(pgbouncer, ["-q", configuration], { ...account, cwd: folder, stdio: "ignore" })
    started.on("error", () => {}) // noticed as a pooler that does not answer
    child = started
    await until("pgbouncer", () =>
      rows(through(url), "select 1").then(
        () => true,
        () => undefined
      )
    )
  }
  const kill = async () => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = new Promise<void>((resolve) => ending.once("exit", () => resolve()))
    ending.kill("SIGKILL")
    await gone
  }
  const dispose = async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return { through, start, kill, dispose }
}
