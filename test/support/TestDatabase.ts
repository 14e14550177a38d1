/** Databases of their own for tests, cloned from the migrated template of the run's cluster (globalSetup.ts). */
import { randomBytes } from "node:crypto"
import { Clock, Effect, Layer, Redacted, Schedule, type Scope } from "effect"
import pg from "pg"
import { inject } from "vitest"
import { Database } from "../../src/database/Database.ts"

/** A fresh database, dropped with the scope: migrated, with the login that serves; or `empty`, with the superuser's. */
export const databaseUrl = (
  kind: "migrated" | "empty"
): Effect.Effect<Redacted.Redacted<string>, never, Scope.Scope> =>
  Effect.suspend(() => {
    const name = `t_${randomBytes(6).toString("hex")}`
    const source = kind === "migrated" ? "TEMPLATE plugfest_template STRATEGY file_copy" : ""
    return Effect.acquireRelease(
      // 55006: somebody else is cloning the template at this instant.
      administer(`CREATE DATABASE ${name} ${source}`).pipe(
        Effect.retry({
          while: (error) => error.code === "55006",
          schedule: Schedule.spaced("50 millis"),
          times: 100
        }),
        Effect.orDie
      ),
      () => Effect.orDie(administer(`DROP DATABASE ${name} WITH (FORCE)`))
    ).pipe(
      Effect.map(() => Redacted.make(cluster().replace(/postgres$/, name))),
      Effect.map((url) => (kind === "migrated" ? servingUrlOf(url) : url)),
      Effect.withClock(Clock.make())
    )
  })

/** The same database as of this URL, with the login that serves. */
export const servingUrlOf = (url: Redacted.Redacted<string>) =>
  Redacted.make(inject("servingUrl").replace(/postgres$/, new URL(Redacted.value(url)).pathname.slice(1)))

/** `Database` on a migrated database of the block's own. */
export const TestDatabase = Layer.unwrapScoped(
  Effect.map(databaseUrl("migrated"), (url) => Database.layer({ url, dataDir: "/nowhere", poolSize: 6 }))
).pipe(Layer.orDie)

/** One statement on the cluster, or on one of its databases, as its superuser. */
export function administer(statement: string, database = "postgres") {
  return Effect.tryPromise({
    try: async () => {
      const client = new pg.Client({ connectionString: cluster().replace(/postgres$/, database) })
      await client.connect()
      try {
        return (await client.query(statement)).rows as ReadonlyArray<Record<string, unknown>>
      } finally {
        await client.end()
      }
    },
    catch: (error) => error as pg.DatabaseError
  })
}

function cluster(): string {
  const url = inject("pgUrl")
  if (!url) throw new Error("Tests on a database run with `vitest --config test/vitest.config.ts`")
  return url
}
