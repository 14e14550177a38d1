/** The built service on a Postgres of its own, and what it costs: processor time, allocations, statements. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import pg from "pg"
import * as EmbeddedPostgres from "../../src/database/embedded/EmbeddedPostgres.ts"
import { roomy } from "../../test/support/service/crowd.ts"
import { type Service, servingUrl, startService } from "../../test/support/service/Service.ts"

/** What a process has used since it began. */
export interface Used {
  /** User and system time of all its threads, in microseconds. */
  readonly micros: number
  /** Kilobytes that were allocated on the JavaScript heap, by the log of its garbage collector. */
  readonly kilobytes: number
  /** Statements that its logins have sent to the database. */
  readonly statements: number
  readonly residentBytes: number
}

export interface ProbedService {
  readonly service: Service
  readonly used: () => Promise<Used>
  /** What its database is reached by, with the login that the service has. */
  readonly database: string
  /** Statements so far, of all but the one that counts. */
  readonly statements: () => Promise<number>
  /** How often each statement was sent so far. */
  readonly calls: () => Promise<ReadonlyMap<string, number>>
  readonly stop: () => Promise<void>
}

/** Starts it. The database counts statements by pg_stat_statements; the service says each garbage collection. */
export async function startProbed(): Promise<ProbedService> {
  const folder = mkdtempSync(join(tmpdir(), "plugfest-cpu-"))
  chmodSync(folder, 0o711) // started by root, the database runs under another account
  const scope = Effect.runSync(Scope.make())
  const settings = { shared_preload_libraries: "pg_stat_statements", max_connections: "200" }
  const { adminUrl } = await EmbeddedPostgres.acquire({ dataDir: join(folder, "postgres"), settings }).pipe(
    Scope.extend(scope),
    Effect.runPromise
  )
  const connectionString = Redacted.value(adminUrl)
  const counter = new pg.Client({ connectionString })
  await counter.connect()
  await counter.query("create extension pg_stat_statements")
  const service = await startService(
    { ...roomy, DATA_DIR: join(folder, "us"), DATABASE_URL: connectionString },
    ["--trace-gc"]
  )
  const statements = async (): Promise<number> => {
    const { rows } = await counter.query(
      "select coalesce(sum(calls), 0)::int n from pg_stat_statements where userid <> (select oid from pg_roles where rolname = current_user)"
    )
    return rows[0].n
  }
  const calls = async () => {
    const { rows } = await counter.query<{ query: string; calls: string }>(
      "select query, sum(calls) calls from pg_stat_statements where userid <> (select oid from pg_roles where rolname = current_user) group by query"
    )
    return new Map(rows.map(({ calls, query }) => [query, Number(calls)]))
  }
  const used = async (): Promise<Used> => {
    const { text } = await service.call("GET", "/metrics")
    return {
      micros: Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1e6,
      kilobytes: allocated(service.output()),
      statements: await statements(),
      residentBytes: Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
    }
  }
  return {
    service,
    used,
    database: servingUrl(connectionString),
    statements,
    calls,
    stop: async () => {
      await service.kill("SIGTERM")
      await counter.end()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** The heap grows between two collections by what was allocated meanwhile. */
export function allocated(log: string): number {
  let after = Number.NaN
  let sum = 0
  for (const [, before, left] of log.matchAll(
    /: (?:Scavenge|Mark-Compact|Minor Mark-Compact)[^\d\n]*([\d.]+) \([\d.]+\) -> ([\d.]+) \(/g
  )) {
    if (Number(before) > after) sum += Number(before) - after
    after = Number(left)
  }
  return sum * 1024
}
