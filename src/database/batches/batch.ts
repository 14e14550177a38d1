/**
 * Statements that serve many callers: what is asked for at once goes out together, and so does what is asked for while one is
 * under way. Nobody waits for a timer.
 */
import { Effect } from "effect"
import { type DatabaseDown, downOrDefect, isLoss } from "../DatabaseDown.ts"

/** How the items of several callers become statements. */
interface BatchOptions<Item, Result> {
  /** The most items in one statement. */
  readonly most: number
  /** Runs one statement for these items, and gives a result for each, in their order. */
  readonly run: (items: ReadonlyArray<Item>) => Promise<ReadonlyArray<Result>>
}

/** Serves one item; its statement begins after the call. Fails and dies as `Database.attempt`. */
export type Batch<Item, Result> = (item: Item) => Effect.Effect<Result, DatabaseDown>

interface Job<Item, Result> {
  readonly item: Item
  readonly answer: (result: Effect.Effect<Result, DatabaseDown>) => void
}

/** Makes a batch. A wrong item fails alone: the others of its statement are tried again, each in its own. */
export const makeBatch = <Item, Result>({ most, run }: BatchOptions<Item, Result>): Batch<Item, Result> => {
  const waiting: Array<Job<Item, Result>> = []
  let underWay = false
  let isDue = false

  const settle = async (jobs: ReadonlyArray<Job<Item, Result>>): Promise<void> => {
    try {
      const results = await run(jobs.map(({ item }) => item))
      for (const [at, { answer }] of jobs.entries()) answer(Effect.succeed(results[at]!)) // one for each
    } catch (error) {
      if (jobs.length > 1 && !isLoss(error)) for (const job of jobs) await settle([job])
      else for (const { answer } of jobs) answer(downOrDefect(error))
    }
  }
  const begin = () => {
    isDue = false
    if (underWay || waiting.length === 0) return
    underWay = true
    void settle(waiting.splice(0, most)).then(() => {
      underWay = false
      begin()
    })
  }

  return (item) =>
    Effect.async((answer) => {
      waiting.push({ item, answer })
      if (underWay || isDue) return
      isDue = true
      // After all fibers that are awake, which may ask too.
      queueMicrotask(begin)
    })
}
