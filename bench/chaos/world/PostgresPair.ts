/** Two Postgres servers: the second follows the first by streaming replication, and commits wait for it. */
import { spawn, spawnSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync
} from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { type Cluster, openCluster } from "../../../src/database/embedded/postgresCluster.ts"
import { serverEnvironment } from "../../../src/database/embedded/serverAccount.ts"
import { rows } from "../../../test/support/service/database.ts"
import { freePort, until } from "../../../test/support/service/Service.ts"

/** One of the two. */
export interface PairServer {
  readonly port: number
  /** As superuser, directly. */
  readonly url: string
  /** Sends the signal to the server and all of its processes at once. */
  readonly signal: (name: NodeJS.Signals) => void
  /** Stops what sends to the standby, so that the standby falls behind. */
  readonly stopSending: () => void
}

/** Both, and what ends them. */
export interface PostgresPair {
  readonly first: PairServer
  readonly second: PairServer
  readonly dispose: () => Promise<void>
}

/** What the first server is told, in addition to what Postgres does by itself. */
const primary = { synchronous_standby_names: "second", synchronous_commit: "on" }

/** Starts both, and waits until the second follows the first synchronously. Who checks them for a balancer may log in. */
export async function startPair(): Promise<PostgresPair> {
  const folders = [folder(), folder()] as const
  const ports = [await freePort(), await freePort()] as const
  const started: Array<PairServer> = []
  const dispose = async () => {
    for (const server of started) server.signal("SIGKILL")
    for (const one of folders) await rm(one, { recursive: true, force: true })
  }
  try {
    const cluster = await openCluster(folders[0])
    const access = join(cluster.data, "pg_hba.conf")
    writeFileSync(access, `host postgres haproxy_check 127.0.0.1/32 trust\n${readFileSync(access, "utf8")}`)
    // The copy of a base backup, here of a server that has not run yet.
    const copied = spawnSync("cp", ["-a", cluster.root, join(folders[1], "postgres")], { encoding: "utf8" })
    if (copied.status !== 0) throw new Error(copied.stderr)
    started.push(launch(cluster, ports[0], primary))
    const [first] = started as [PairServer]
    await answers(first)
    // There is no standby yet to wait for.
    await rows(first.url, "set synchronous_commit = local; create role haproxy_check login")

    const follower = await openCluster(folders[1])
    const { password, username } = new URL(first.url)
    appendFileSync(
      join(follower.data, "postgresql.auto.conf"),
      `primary_conninfo = 'host=127.0.0.1 port=${ports[0]} user=${username} password=${password} application_name=second'\n`
    )
    const sign = join(follower.data, "standby.signal")
    writeFileSync(sign, "")
    const { gid, uid } = follower.account
    if (uid !== undefined && gid !== undefined) chownSync(sign, uid, gid)
    started.push(launch(follower, ports[1], {}))
    const [, second] = started as [PairServer, PairServer]
    await answers(second)
    await until("the second to follow", async () => {
      const [found] = await rows(first.url, "select sync_state from pg_stat_replication")
      return found?.sync_state === "sync" ? true : undefined
    })
    return { first, second, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "plugfest-pair-"))
  chmodSync(made, 0o711) // as root, the server runs as somebody else
  return made
}

function launch(cluster: Cluster, port: number, more: Readonly<Record<string, string>>): PairServer {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off", // a kill of processes loses nothing that was written
    shared_buffers: "64MB",
    ...more
  }
  const child = spawn(
    join(cluster.bin, "postgres"),
    [
      ...["-D", cluster.data, "-p", String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    ],
    { ...cluster.account, cwd: cluster.data, env: serverEnvironment(), stdio: "ignore" }
  )
  child.on("error", () => {}) // noticed as a server that does not answer
  const pid = child.pid ?? -1
  const send = (pids: ReadonlyArray<number>, name: NodeJS.Signals) => {
    for (const one of pids) {
      try {
        process.kill(one, name)
      } catch {} // gone already
    }
  }
  return {
    port,
    url: Redacted.value(cluster.adminUrl(port)),
    signal: (name) => send([pid, ...childrenOf(pid)], name),
    stopSending: () => send(childrenOf(pid).filter(isSender), "SIGSTOP")
  }
}

function isSender(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("walsender")
  } catch {
    return false // gone meanwhile
  }
}

/** The processes whose parent this one is, on Linux. */
export function childrenOf(pid: number): ReadonlyArray<number> {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => parentOf(one) === pid)
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1])
  } catch {
    return undefined // gone meanwhile
  }
}

const answers = ({ url }: PairServer) =>
  until("the server to answer", () =>
    rows(url, "select 1").then(
      () => true,
      () => undefined
    )
  )
