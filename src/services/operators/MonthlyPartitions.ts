/** Keeps the partitions of the tables that are divided by months (decision 35). */
import { Effect, Layer } from "effect"
import { Database } from "../../database/Database.ts"
import { everyHour } from "../../database/everyHour.ts"
import { monthlyTables } from "../../database/migrations/0023_monthly_partitions.ts"
import { cellLetter } from "../../database/newId.ts"
import { dropOldPartitions, unlessInUse } from "../../database/partitions/dropOldPartitions.ts"
import { untimedOn } from "../../database/statement.ts"
import { Placement } from "../../placement/Placement.ts"

/** How long exchanges are kept. */
interface MonthlyPartitionsOptions {
  /** Days after which old exchanges are purged; undefined: never. */
  readonly retentionDays: number | undefined
}

/**
 * Every hour, in one process at a time: makes the partitions of this month and the two after it, and drops those of the ledger that
 * hold nothing any more.
 */
const layer = ({
  retentionDays
}: MonthlyPartitionsOptions): Layer.Layer<never, never, Database | Placement> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { pool } = yield* Database
      const untimed = untimedOn(pool)
      const make = Effect.forEach(monthlyTables, (table) =>
        untimed<{ readonly made: string }>({
          text: "SELECT make_partitions($1, $2, $3) AS made",
          // Exchanges are read over all partitions. Where they are kept for ever there is one for each year.
          values: [table, cellLetter(), table === "party_exchange" && retentionDays === undefined]
        }).pipe(unlessInUse([]))
      )
      const keep = Effect.gen(function* () {
        const made = (yield* make).flat()
        if (made.length > 0)
          yield* Effect.logInfo(`Made the partitions ${made.map(({ made }) => made).join(", ")}`)
        yield* dropOldPartitions(pool, "ledger_event", 0)
      })
      const { singleton } = yield* Placement
      yield* singleton(
        "monthly partitions",
        everyHour(Effect.orDie(keep), "Monthly partitions could not be made or dropped")
      )
    })
  )

/** What keeps the partitions of a running service. */
export const MonthlyPartitions = { layer }
