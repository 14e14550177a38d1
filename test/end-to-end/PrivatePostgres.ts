/** A Postgres of a test's own that can be stopped and started again; its address stays the same meanwhile. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import * as EmbeddedPostgres from "../../src/store/EmbeddedPostgres.ts"
import { freePort } from "./Service.ts"

export interface PrivatePostgres {
  /** For DATABASE_URL, through a gate whose port does not change. */
  readonly url: () => string
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
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
      one.pipe(other)
    }
  })
  const start = async () => {
    scope = Effect.runSync(Scope.make())
    const settings = { fsync: "off", max_connections: "50" }
    const started = await EmbeddedPostgres.acquire({ dataDir, settings }).pipe(
      Scope.extend(scope),
      Effect.runPromise
    )
    const inner = new URL(Redacted.value(started.url))
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
  return {
    url: () => url,
    start,
    stop,
    dispose: async () => {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}
