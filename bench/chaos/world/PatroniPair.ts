/** Two Postgres that Patroni keeps by the configuration of docs/proxy, with an etcd, all of Debian's packages. */
import { type ChildProcess, spawn } from "node:child_process"
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync
} from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ServerAccount, serverAccount } from "../../../src/database/embedded/serverAccount.ts"
import { program } from "../../../test/support/programs.ts"
import { freePort, until } from "../../../test/support/service/Service.ts"
import { childrenOf } from "./PostgresPair.ts"

/** The programs that a pair needs. */
export interface PatroniPrograms {
  readonly patroni: string
  readonly etcd: string
  /** The folder of Postgres' own programs. */
  readonly bin: string
}

/** Their paths; installs what is missing where that may be done. undefined: one of them can't be had. */
export function findPatroni(): PatroniPrograms | undefined {
  const patroni = program({ names: ["patroni"], debianPackage: "patroni" })
  const etcd = program({ names: ["etcd"], debianPackage: "etcd-server" })
  const rewind = program({ names: [], paths: rewinds(), debianPackage: "postgresql" }) ?? rewinds().at(-1)
  return patroni === undefined || etcd === undefined || rewind === undefined
    ? undefined
    : { patroni, etcd, bin: join(rewind, "..") }
}

const servers = "/usr/lib/postgresql"

/** Where Debian's packages put a program that only a whole server has. */
const rewinds = (): ReadonlyArray<string> =>
  existsSync(servers) ? readdirSync(servers).map((version) => join(servers, version, "bin/pg_rewind")) : []

/** One of the two. */
export interface PatroniServer {
  /** No keyword of synchronous_standby_names, such as `first`: Patroni does not quote it. */
  readonly name: "postgres-1" | "postgres-2"
  readonly port: number
  /** Of Patroni's API. */
  readonly apiPort: number
  /** As superuser, directly. */
  readonly url: string
  readonly start: () => void
  /** Kills Patroni, Postgres and all its processes at once, as when their machine is gone. */
  readonly lose: () => void
}

/** Both, and what ends them. */
export interface PatroniPair {
  readonly first: PatroniServer
  readonly second: PatroniServer
  readonly dispose: () => Promise<void>
}

const configuration = "docs/proxy/patroni.yml"
const password = "a-password-for-tests"

/** Starts both, and waits until the second follows the first synchronously. */
export async function startPatroniPair(programs: PatroniPrograms): Promise<PatroniPair> {
  const account = serverAccount() ?? {}
  const folder = mkdtempSync(join(tmpdir(), "plugfest-patroni-"))
  chmodSync(folder, 0o755)
  copyFileSync(configuration, join(folder, "patroni.yml"))
  const started: Array<PatroniServer> = []
  const keys = await startEtcd(programs.etcd, join(folder, "etcd"))
  const dispose = async () => {
    for (const one of started) one.lose()
    keys.child.kill("SIGKILL")
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const name of ["postgres-1", "postgres-2"] as const) {
      const server = patroniServer(programs, account, folder, {
        name,
        port: await freePort(),
        apiPort: await freePort(),
        etcd: keys.address
      })
      started.push(server)
      server.start()
      const isFirst = started.length === 1
      await until(`${name} to be there`, () => (isFirst ? isPrimary(server) : isSynchronous(server)))
    }
    const [first, second] = started as [PatroniServer, PatroniServer]
    return { first, second, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Does its Patroni say that it is the primary? */
export const isPrimary = (server: PatroniServer) => isSaidToBe(server, "primary")

/** Does its Patroni say that it is the standby that commits wait for? */
export const isSynchronous = (server: PatroniServer) => isSaidToBe(server, "synchronous")

const isSaidToBe = ({ apiPort }: PatroniServer, role: string): Promise<true | undefined> =>
  fetch(`http://127.0.0.1:${apiPort}/${role}`).then(
    ({ status }) => (status === 200 ? true : undefined),
    () => undefined
  )

/** Asks the primary's Patroni to hand over to the other one. */
export async function switchOver(from: PatroniServer, to: PatroniServer): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${from.apiPort}/switchover`, {
    method: "POST",
    body: JSON.stringify({ leader: from.name, candidate: to.name })
  })
  if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`)
}

async function startEtcd(etcd: string, data: string): Promise<{ child: ChildProcess; address: string }> {
  const [client, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`)
  const child = spawn(
    etcd,
    [
      ...["--data-dir", data, "--listen-client-urls", client!, "--advertise-client-urls", client!],
      ...["--listen-peer-urls", peer!, "--initial-advertise-peer-urls", peer!],
      ...["--initial-cluster", `default=${peer}`]
    ],
    { stdio: "ignore" }
  )
  child.on("error", () => {}) // noticed as one that does not answer
  await until("etcd", () =>
    fetch(`${client}/health`).then(
      ({ ok }) => ok || undefined,
      () => undefined
    )
  )
  return { child, address: new URL(client!).host }
}

function patroniServer(
  { bin, patroni }: PatroniPrograms,
  account: ServerAccount,
  folder: string,
  place: Pick<PatroniServer, "apiPort" | "name" | "port"> & { readonly etcd: string }
): PatroniServer {
  const { apiPort, etcd, name, port } = place
  const home = join(folder, name)
  mkdirSync(home)
  if (account.uid !== undefined && account.gid !== undefined) chownSync(home, account.uid, account.gid)
  const data = join(home, "data")
  const address = (of: number) => `127.0.0.1:${of}`
  let child: ChildProcess | undefined
  const start = () => {
    child = spawn(patroni, [join(folder, "patroni.yml")], {
      ...account,
      cwd: home,
      stdio: "ignore",
      env: {
        PATH: process.env["PATH"],
        LC_ALL: "C.UTF-8",
        HOME: home,
        PATRONI_NAME: name,
        PATRONI_ETCD3_HOSTS: etcd,
        PATRONI_RESTAPI_LISTEN: address(apiPort),
        PATRONI_RESTAPI_CONNECT_ADDRESS: address(apiPort),
        PATRONI_POSTGRESQL_LISTEN: address(port),
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: address(port),
        PATRONI_POSTGRESQL_DATA_DIR: data,
        PATRONI_POSTGRESQL_BIN_DIR: bin,
        PATRONI_POSTGRESQL_PGPASS: join(home, "pgpass"),
        ...login("SUPERUSER", "postgres"),
        ...login("REPLICATION", "replicator"),
        ...login("REWIND", "rewinder")
      }
    })
    child.on("error", () => {}) // noticed as a server that does not answer
  }
  const lose = () => {
    child?.kill("SIGKILL")
    for (const pid of postgresIn(data)) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {} // gone already
    }
  }
  return {
    name,
    port,
    apiPort,
    url: `postgres://postgres:${password}@${address(port)}/postgres`,
    start,
    lose
  }
}

const login = (of: string, username: string) => ({
  [`PATRONI_${of}_USERNAME`]: username,
  [`PATRONI_${of}_PASSWORD`]: password
})

/** The server of that data directory and its processes, by the file that it writes. */
function postgresIn(data: string): ReadonlyArray<number> {
  const file = join(data, "postmaster.pid")
  if (!existsSync(file)) return []
  const server = Number(readFileSync(file, "utf8").split("\n")[0])
  return [server, ...childrenOf(server)]
}
