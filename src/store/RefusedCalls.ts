/**
 * When a partner called and we could not serve it: the database was away, or we broke. What it said then may have been
 * said once, and is not missing by its fault.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { Database, outlast } from "./Database.ts"

/** Nobody asks about older ones. */
const keptDays = 30

export class RefusedCalls extends Context.Tag("store/RefusedCalls")<
  RefusedCalls,
  {
    /** A partner was turned away just now. Returns at once; it is written when the database is there again. */
    readonly note: Effect.Effect<void>
    /** The latest time after `since` that any process turned a partner away; both ISO 8601 UTC. */
    readonly lastSince: (since: string) => Effect.Effect<Option.Option<string>>
  }
>() {
  static readonly layer: Layer.Layer<RefusedCalls, never, Database> = Layer.scoped(
    RefusedCalls,
    Effect.gen(function* () {
      const { query } = yield* Database
      const scope = yield* Effect.scope
      let unwritten: number | undefined

      const write = Effect.gen(function* () {
        for (let at = unwritten; at !== undefined; at = unwritten) {
          yield* query({
            name: "refused_call_note",
            text: `WITH old AS (DELETE FROM refused_call WHERE at < now() - $2 * interval '1 day')
                   INSERT INTO refused_call (at) VALUES ($1) ON CONFLICT DO NOTHING`,
            values: [new Date(at).toISOString(), keptDays]
          })
          if (unwritten === at) unwritten = undefined
        }
      })

      const note = Effect.gen(function* () {
        const isBeingWritten = unwritten !== undefined
        unwritten = yield* Clock.currentTimeMillis
        if (!isBeingWritten) yield* Effect.forkIn(outlast(write), scope)
      })

      const lastSince = Effect.fn("RefusedCalls.lastSince")(function* (since: string) {
        const [row] = yield* query<{ readonly at: Date | null }>({
          name: "refused_call_last",
          text: "SELECT max(at) AS at FROM refused_call WHERE at > $1",
          values: [since]
        })
        const known = [row?.at?.getTime(), unwritten].filter((at) => at !== undefined)
        const last = Math.max(...known)
        return last > Date.parse(since) ? Option.some(new Date(last).toISOString()) : Option.none()
      })

      return RefusedCalls.of({ note, lastSince })
    })
  )
}
