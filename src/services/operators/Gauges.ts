/** Gauges for GET /metrics: open runs, followers, database connections. They cover all owners. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../database/Database.ts"
import { sharedFor } from "../../database/shared.ts"
import { Feed } from "../../ledger/feed/feed.ts"
import type { Family, Sample } from "../../telemetry/exposition.ts"

/** How long counts are cached, because counting costs a query and scrapers may ask often. */
const keptFor = "5 seconds"

/** Reads the gauges when they are scraped. */
export class Gauges extends Context.Tag("services/Gauges")<
  Gauges,
  {
    /** Never fails: during a database outage `plugfest_database_up` is 0 and the counts of rows are left out. */
    readonly read: Effect.Effect<ReadonlyArray<Family>>
  }
>() {
  static readonly layer = Layer.effect(
    Gauges,
    Effect.gen(function* () {
      const database = yield* Database
      const feed = yield* Feed
      const openRuns = yield* sharedFor(
        database
          .attempt<{ readonly kind: string; readonly status: string; readonly open: number }>({
            name: "gauges-open-runs",
            text: "select kind, status, count(*)::int as open from run where not closed group by kind, status"
          })
          .pipe(Effect.timeout("2 seconds"), Effect.option),
        keptFor
      )
      return Gauges.of({
        read: Effect.gen(function* () {
          const runs = yield* openRuns
          const { idleCount, totalCount, waitingCount } = database.pool
          return [
            gauge("plugfest_database_up", "1: Postgres answered", [{ value: runs._tag === "Some" ? 1 : 0 }]),
            gauge("plugfest_database_connections", "Connections of this process's pool", [
              { labels: { state: "used" }, value: totalCount - idleCount },
              { labels: { state: "idle" }, value: idleCount }
            ]),
            gauge("plugfest_database_waiting", "Statements that wait for a connection", [
              { value: waitingCount }
            ]),
            gauge("plugfest_followers", "Streams of runs that are followed through this process", [
              { value: yield* feed.count }
            ]),
            ...(runs._tag === "None"
              ? []
              : [
                  gauge(
                    "plugfest_runs_open",
                    "Runs that are not over, of all processes on this database",
                    runs.value.map(({ kind, open, status }) => ({ labels: { kind, status }, value: open }))
                  )
                ])
          ]
        })
      })
    })
  )
}

function gauge(name: string, help: string, samples: ReadonlyArray<Sample>): Family {
  return { name, help, type: "gauge", samples }
}
