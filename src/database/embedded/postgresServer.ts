/** The process of the embedded server: started or found, and asked whether it answers. */
import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { stat, truncate } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { traced } from "../../telemetry/traced.ts"
import { suffix } from "./postgresBinaries.ts"
import { type Cluster, type ClusterAddress, processState, readAddress } from "./postgresCluster.ts"
import { serverEnvironment } from "./serverAccount.ts"

/** A server that was started or found, and may not answer yet. */
export interface StartedServer {
  readonly address: ClusterAddress
  readonly lives: () => boolean
}

/** Starts the server, or finds it started by another process. */
export async function startServer(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  wantedPort: number | undefined
): Promise<StartedServer> {
  const running = await readAddress(cluster)
  if (running !== undefined) return { address: running, lives: () => processState(running.pid) !== "gone" }
  const port = wantedPort ?? (await freePort())
  const child = await launch(cluster, settings, port)
  return {
    address: { pid: child.pid ?? -1, port },
    lives: () => child.exitCode === null && child.signalCode === null
  }
}

/** Polls until the server answers (true), or until it ends or 60 seconds have passed (false). */
export const answers = traced("EmbeddedPostgres.answers")(function* (
  cluster: Cluster,
  address: ClusterAddress,
  lives: () => boolean
) {
  for (let polls = 0; polls < 1500; polls++) {
    if (!lives()) return false
    if (yield* Effect.promise(() => ping(cluster, address.port))) return true
    yield* Effect.sleep("40 millis")
  }
  return false
})

async function ping(cluster: Cluster, port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: Redacted.value(cluster.adminUrl(port)),
    connectionTimeoutMillis: 2000
  })
  client.on("error", () => {})
  try {
    await client.connect()
    // The port could belong to another server by now.
    const { rows } = await client.query<{ directory: string }>(
      "SELECT current_setting('data_directory') directory"
    )
    return rows[0]?.directory === cluster.data
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function launch(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  port: number
): Promise<ChildProcess> {
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: "64MB",
    timezone: "UTC",
    log_timezone: "UTC",
    ...settings
  }
  const size = (await stat(cluster.log).catch(() => undefined))?.size ?? 0
  if (size > 10_000_000) await truncate(cluster.log)
  const log = openSync(cluster.log, "a", 0o600)
  try {
    // Detached, because Ctrl-C reaches the whole foreground group, and Postgres must not stop before we have drained. Its
    // output goes to a file, because it may outlive us.
    const child = spawn(
      join(cluster.bin, `postgres${suffix}`),
      [
        "-D",
        cluster.data,
        "-p",
        String(port),
        ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
      ],
      {
        ...cluster.account,
        cwd: cluster.data,
        env: serverEnvironment(),
        detached: true,
        stdio: ["ignore", log, log]
      }
    )
    child.on("error", () => {}) // noticed as a server that never answers
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
