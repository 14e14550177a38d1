/** Drops monthly partitions with everything in them (decision 35). */
import { Effect } from "effect"
import type pg from "pg"
import type { DatabaseDown } from "../DatabaseDown.ts"
import type { MonthlyTable } from "../migrations/0023_monthly_partitions.ts"
import { untimedOn } from "../statement.ts"

/**
 * Drops the partitions of ended months: of the ledger those without lines and open runs, of other tables those whose rows are
 * all older than so many days, unless a connection of its exchanges has an open run. Returns the number of rows in them. One
 * that a backup reads is left for the next time.
 */
export const dropOldPartitions = (
  pool: pg.Pool,
  table: MonthlyTable,
  days: number
): Effect.Effect<number, DatabaseDown> =>
  untimedOn(pool)<{ readonly gone: number | null }>({
    text: "SELECT drop_old_partition($1, $2) AS gone",
    values: [table, days]
  }).pipe(
    unlessInUse([]),
    Effect.flatMap(([row]) => {
      const gone = row?.gone ?? null
      return gone === null
        ? Effect.succeed(0)
        : Effect.map(dropOldPartitions(pool, table, days), (more) => gone + more)
    })
  )

/** Answers with `otherwise` where a lock was not available, e.g. because a backup reads the partition (SQLSTATE 55P03). */
export const unlessInUse =
  <B>(otherwise: B) =>
  <A, R>(work: Effect.Effect<A, DatabaseDown, R>): Effect.Effect<A | B, DatabaseDown, R> =>
    Effect.catchAll(work, (error) =>
      (error.cause as { readonly code?: unknown } | undefined)?.code === "55P03"
        ? Effect.succeed(otherwise)
        : Effect.fail(error)
    )
