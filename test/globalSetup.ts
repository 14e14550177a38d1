/** One throw-away Postgres for the whole test run, with a migrated template that tests clone. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import pg from "pg"
import type { TestProject } from "vitest/node"
import * as EmbeddedPostgres from "../src/database/embedded/EmbeddedPostgres.ts"
import { provideLogin } from "../src/database/logins/logins.ts"
import { migrate } from "../src/database/migrate.ts"
import { migrations } from "../src/database/migrations/all.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The cluster's own database, as superuser: `create database … template plugfest_template`. */
    readonly pgUrl: string
    /** The same, with the login that serves: for databases that are migrated. */
    readonly servingUrl: string
  }
}

export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), "plugfest-test-"))
  await chmod(dataDir, 0o711) // as root, the server runs as somebody else
  const scope = Effect.runSync(Scope.make())
  const { adminUrl, url } = await EmbeddedPostgres.acquire({ dataDir, settings: throwAway }).pipe(
    Scope.extend(scope),
    Effect.runPromise
  )
  const cluster = Redacted.value(adminUrl)
  const client = new pg.Client({ connectionString: cluster })
  await client.connect()
  await client.query("CREATE DATABASE plugfest_template")
  await client.end()
  const template = cluster.replace(/postgres$/, "plugfest_template")
  const after = async (client: pg.Client) => {
    await provideLogin(client, url)
    await client.query("SELECT make_partitions('ledger_event', 'a'), make_partitions('audit_entry', 'a')")
  }
  await Effect.runPromise(migrate({ connectionString: template }, migrations, { after }))
  project.provide("pgUrl", cluster)
  project.provide("servingUrl", Redacted.value(url))
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(dataDir, { recursive: true, force: true })
  }
}

const throwAway = {
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
  max_connections: "200"
}
