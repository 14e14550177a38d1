/** A Postgres of a test's own that can be stopped, started and killed; its address stays the same meanwhile. */
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import * as EmbeddedPostgres from "../../../src/database/embedded/EmbeddedPostgres.ts"
import { rows } from "./database.ts"
import { freePort } from "./Service.ts"

export interface PrivatePostgres {
  /** As superuser, through a gate whose port does not change. */
  readonly url: () => string
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  /** SIGQUIT: an immediate shutdown. No farewell, recovery at the next start; it comes back by itself. */
  readonly crash: (signal: "SIGQUIT" | "SIGKILL") => Promise<void>
  /** Words of a client whose answer is lost: they reach the server, and then the connection is cut. */
  loses: ((words: Buffer) => boolean) | undefined
  readonly dispose: () => Promise<void>
}

/** Not started yet, but with its address: what connects is refused. */
export async function privatePostgres(): Promise<PrivatePostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "plugfest-private-"))
  await chmod(dataDir, 0o711) // as root, the server runs as somebody else
  const port = await freePort()
  let scope: Scope.CloseableScope | undefined
  let url = `postgres://plugfest:unknown@127.0.0.1:${port}/postgres`
  let behind = 0
  const open = new Set<Socket>()
  const gate = createServer((socket) => {
    const server = connect(behind, "127.0.0.1")
    for (const [one, other] of [
      [socket, server],
      [server, socket]
    ] as const) {
      open.add(one)
      one.on("error", () => other.destroy())
      one.on("close", () => {
        open.delete(one)
        other.destroy()
      })
    }
    let lost = false
    socket.on("data", (words) => {
      lost ||= postgres.loses?.(words) === true
      server.write(words)
    })
    server.on("data", (answer) => {
      if (lost) server.destroy()
      else socket.write(answer)
    })
    socket.on("end", () => server.end())
    server.on("end", () => socket.end())
  })
  const start = async () => {
    scope = Effect.runSync(Scope.make())
    const settings = { fsync: "off", max_connections: "50" }
    const started = await EmbeddedPostgres.acquire({ dataDir, settings }).pipe(
      Scope.extend(scope),
      Effect.runPromise
    )
    const inner = new URL(Redacted.value(started.adminUrl))
    behind = Number(inner.port)
    inner.port = String(port)
    url = inner.href
    await new Promise<void>((resolve) => gate.listen(port, "127.0.0.1", resolve))
  }
  const stop = async () => {
    if (scope === undefined) return
    const closing = new Promise<void>((resolve) => gate.close(() => resolve()))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    scope = undefined
    for (const socket of open) socket.destroy()
    await closing
  }
  const crash = async (signal: NodeJS.Signals) => {
    const [{ data_directory }] = (await rows(url, "show data_directory")) as [{ data_directory: string }]
    const [pid] = (await readFile(join(data_directory, "postmaster.pid"), "utf8")).split("\n")
    process.kill(Number(pid), signal)
  }
  const postgres: PrivatePostgres = {
    url: () => url,
    start,
    stop,
    crash,
    loses: undefined,
    dispose: async () => {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  return postgres
}
