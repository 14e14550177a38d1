/** One Postgres for all that is compared, and services on it. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import pg from "pg"
import * as EmbeddedPostgres from "../../src/database/embedded/EmbeddedPostgres.ts"
import { roomy } from "../../test/support/service/crowd.ts"
import { freshDatabase } from "../../test/support/service/database.ts"
import { type Service, startService } from "../../test/support/service/Service.ts"

export interface World {
  /** A database of its own, by its superuser's URL. */
  readonly database: () => Promise<string>
  /** The built service, on a database of its own. */
  readonly service: () => Promise<Service>
  readonly postgresVersion: string
  readonly close: () => Promise<void>
}

/** Starts the Postgres that comes with plugfest; durable, as it is served. */
export async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "plugfest-peers-"))
  chmodSync(folder, 0o711) // started by root, the database runs under another account
  const scope = Effect.runSync(Scope.make())
  const { adminUrl } = await EmbeddedPostgres.acquire({
    dataDir: join(folder, "postgres"),
    settings: { max_connections: "700" }
  }).pipe(Scope.extend(scope), Effect.runPromise)
  const url = Redacted.value(adminUrl)
  const services: Array<Service> = []
  const database = () => freshDatabase(url)
  const version = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query("show server_version")
    await client.end()
    return rows[0].server_version as string
  }
  return {
    database,
    service: async () => {
      const service = await startService({
        ...roomy,
        DATA_DIR: join(folder, `service-${services.length}`),
        DATABASE_URL: await database()
      })
      services.push(service)
      return service
    },
    postgresVersion: await version(),
    close: async () => {
      for (const service of services) await service.kill("SIGTERM")
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Processor time of a service so far, microseconds. */
export async function processorMicros(service: Service): Promise<number> {
  const { text } = await service.call("GET", "/metrics")
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1e6
}
