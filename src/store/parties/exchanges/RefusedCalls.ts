/**
 * When we failed to serve a partner's call: the database was away, we had an error, the partner exceeded our rates, or a
 * process was killed, perhaps with the call under way. What it sent then may be sent only once, so a run must not blame the
 * partner for its absence.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { PartyId } from "../../../../schema/Ids.ts"
import { Database } from "../../../database/Database.ts"
import { retryUntilBack } from "../../../database/retry.ts"
import type { Statement } from "../../../database/statement.ts"
import { traced } from "../../../telemetry/traced.ts"

/** No run looks back further. */
const keptDays = 30
/** Minimum time between two records of the same party. */
const againMillis = 200

/** Records and finds the calls that we failed to serve. */
export class RefusedCalls extends Context.Tag("store/RefusedCalls")<
  RefusedCalls,
  {
    /**
     * Records that a partner's call was refused just now; undefined: the party is unknown. Returns at once; the record is
     * written when the database is back.
     */
    readonly note: (whose: PartyId | undefined) => Effect.Effect<void>
    /**
     * The latest time after `since` at which any process refused a call of this party or of an unknown one, or at which a
     * process that was killed counted as dead; both times ISO 8601 UTC.
     */
    readonly lastSince: (since: string, party: PartyId) => Effect.Effect<Option.Option<string>>
  }
>() {
  static readonly layer: Layer.Layer<RefusedCalls, never, Database> = Layer.scoped(
    RefusedCalls,
    Effect.gen(function* () {
      const { query } = yield* Database
      const scope = yield* Effect.scope
      /**
       * The latest refusal by party (`undefined`: unknown), in milliseconds, so a thousand refusals need only a few
       * writes.
       */
      const unwritten = new Map<PartyId | undefined, number>()

      const write = Effect.fnUntraced(function* (whose: PartyId | undefined) {
        for (let at = unwritten.get(whose); at !== undefined; at = unwritten.get(whose)) {
          yield* query(noted(new Date(at).toISOString(), whose))
          if (unwritten.get(whose) === at) unwritten.delete(whose)
          else yield* Effect.withClock(Effect.sleep(againMillis), Clock.make())
        }
      })

      const note = traced("RefusedCalls.note")(function* (whose: PartyId | undefined) {
        const isBeingWritten = unwritten.has(whose)
        unwritten.set(whose, yield* Clock.currentTimeMillis)
        if (!isBeingWritten) yield* Effect.forkIn(retryUntilBack(write(whose)), scope)
      })

      const lastSince = traced("RefusedCalls.lastSince")(function* (since: string, party: PartyId) {
        const [row] = yield* query<{ readonly at: Date | null }>({
          name: "refused_call_last",
          text: `SELECT greatest(
                   (SELECT max(at) FROM refused_call WHERE at > $1),
                   (SELECT at FROM refused_party_call WHERE party_id = $2 AND at > $1),
                   (SELECT max(alive_until) FROM server_process WHERE alive_until > $1 AND alive_until < clock_timestamp())
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
