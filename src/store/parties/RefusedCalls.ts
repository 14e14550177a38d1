/**
 * When a partner called and we did not serve it: the database was away, we broke, or it came more often than we take calls.
 * What it said then may have been said once, and is not missing by its fault.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { outlast } from "../../database/retry.ts"
import type { Statement } from "../../database/statement.ts"

/** Nobody asks about older ones. */
const keptDays = 30
/** Between two times that the same party is written down. */
const againMillis = 200

export class RefusedCalls extends Context.Tag("store/RefusedCalls")<
  RefusedCalls,
  {
    /**
     * A partner was turned away just now; undefined: nobody knows whose. Returns at once; it is written when the database is
     * there again.
     */
    readonly note: (whose: PartyId | undefined) => Effect.Effect<void>
    /**
     * The latest time after `since` that any process turned this party's partner away, or one of whom it is not known; both
     * ISO 8601 UTC.
     */
    readonly lastSince: (since: string, party: PartyId) => Effect.Effect<Option.Option<string>>
  }
>() {
  static readonly layer: Layer.Layer<RefusedCalls, never, Database> = Layer.scoped(
    RefusedCalls,
    Effect.gen(function* () {
      const { query } = yield* Database
      const scope = yield* Effect.scope
      /** By party, and under `undefined` of nobody knows whom. One who is turned away a thousand times is written a few. */
      const unwritten = new Map<PartyId | undefined, number>()

      const write = (whose: PartyId | undefined) =>
        Effect.gen(function* () {
          for (let at = unwritten.get(whose); at !== undefined; at = unwritten.get(whose)) {
            yield* query(noted(new Date(at).toISOString(), whose))
            if (unwritten.get(whose) === at) unwritten.delete(whose)
            else yield* Effect.withClock(Effect.sleep(againMillis), Clock.make())
          }
        })

      const note = Effect.fn("RefusedCalls.note")(function* (whose: PartyId | undefined) {
        const isBeingWritten = unwritten.has(whose)
        unwritten.set(whose, yield* Clock.currentTimeMillis)
        if (!isBeingWritten) yield* Effect.forkIn(outlast(write(whose)), scope)
      })

      const lastSince = Effect.fn("RefusedCalls.lastSince")(function* (since: string, party: PartyId) {
        const [row] = yield* query<{ readonly at: Date | null }>({
          name: "refused_call_last",
          text: `SELECT greatest(
                   (SELECT max(at) FROM refused_call WHERE at > $1),
                   (SELECT at FROM refused_party_call WHERE party_id = $2 AND at > $1)
                 ) AS at`,
          values: [since, party]
        })
        const known = [row?.at?.getTime(), unwritten.get(undefined), unwritten.get(party)].filter(
          (at) => at !== undefined
        )
        const last = Math.max(...known)
        return last > Date.parse(since) ? Option.some(new Date(last).toISOString()) : Option.none()
      })

      return RefusedCalls.of({ note, lastSince })
    })
  )
}

function noted(at: string, whose: PartyId | undefined): Statement {
  return whose === undefined
    ? {
        name: "refused_call_note",
        text: `WITH old AS (DELETE FROM refused_call WHERE at < now() - $2 * interval '1 day')
               INSERT INTO refused_call (at) VALUES ($1) ON CONFLICT DO NOTHING`,
        values: [at, keptDays]
      }
    : {
        name: "refused_party_call_note",
        text: `WITH old AS (
                 DELETE FROM refused_party_call WHERE at < now() - $3 * interval '1 day' AND party_id <> $2
               )
               INSERT INTO refused_party_call AS known (at, party_id) VALUES ($1, $2)
               ON CONFLICT (party_id) DO UPDATE SET at = greatest(known.at, excluded.at)`,
        values: [at, whose, keptDays]
      }
}
