/** Reads that many callers ask for at once, as the pages of a console do: equal ones are one statement. */
import { Effect } from "effect"
import type pg from "pg"
import type { DatabaseDown } from "../DatabaseDown.ts"
import type { Query, Statement } from "../statement.ts"
import { type Batch, makeBatch } from "./batch.ts"

type Rows = ReadonlyArray<object>

interface Asked {
  readonly batch: Batch<Statement, Rows>
  callers: number
}

/** The most callers of one statement. */
const together = 1000

/**
 * Runs reading statements as `statementsOn`. Callers of the same text with the same values, which are plain JSON, share one that begins
 * after each of them has asked; they get the same rows.
 */
export const sharedReadsOn = (target: Pick<pg.Pool, "query">): Query<DatabaseDown> => {
  const asked = new Map<string, Asked>()

  const make = (): Asked => ({
    batch: makeBatch<Statement, Rows>({
      most: together,
      run: async (statements) => {
        const { rows } = await target.query(statements[0] as pg.QueryConfig)
        return statements.map(() => rows as Rows)
      }
    }),
    callers: 0
  })

  return <Row extends object>(statement: Statement) =>
    Effect.suspend(() => {
      const key = JSON.stringify([statement.text, statement.values])
      const one = asked.get(key) ?? make()
      asked.set(key, one)
      one.callers += 1
      const leave = Effect.sync(() => {
        one.callers -= 1
        if (one.callers === 0) asked.delete(key)
      })
      // The statement's author knows its columns.
      return Effect.ensuring(one.batch(statement) as Effect.Effect<ReadonlyArray<Row>, DatabaseDown>, leave)
    })
}
