/** A temporary Postgres for all rows that do not harm it. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import * as EmbeddedPostgres from "../../src/database/embedded/EmbeddedPostgres.ts"

/** Starts it. `url`: the superuser's; `stop` ends the server and deletes its files. */
export async function startCluster(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "plugfest-chaos-"))
  await chmod(dataDir, 0o711) // started by root, the server runs under another account
  const scope = Effect.runSync(Scope.make())
  const settings = { fsync: "off", max_connections: "300" }
  const { adminUrl } = await EmbeddedPostgres.acquire({ dataDir, settings }).pipe(
    Scope.extend(scope),
    Effect.runPromise
  )
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url: Redacted.value(adminUrl), stop }
}
