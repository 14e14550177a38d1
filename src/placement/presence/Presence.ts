/**
 * Which processes on one database are alive, by the database's clock. What a process holds (an open stream, a claim)
 * counts only while its row says that it is alive.
 */
import { Cause, Context, Effect, Layer } from "effect"
import { Database } from "../../database/Database.ts"
import { everyHour } from "../../database/everyHour.ts"
import { Heartbeats } from "./Heartbeats.ts"

/** A process as its row says it. One that ended in order has no row. */
interface KnownProcess {
  readonly id: string
  readonly startedAt: string
  readonly alive: boolean
  /** When it counts as dead unless it says before that it is alive. */
  readonly aliveUntil: string
  /** By how many milliseconds its event loop was late at most, between its last two heartbeats. Absent of an earlier release. */
  readonly lagMs?: number
}

/** How many processes are told of at most: rows of dead ones stay for a day. */
const mostKnown = 100

/** The id of this process, and the ids of all that are alive. */
export interface Living {
  /** Unique among all processes, past and present. */
  readonly processId: string
  /** The ids of all that are alive, this one among them. */
  readonly living: Effect.Effect<ReadonlySet<string>>
  /** Those that are alive, and those that died without an end in order within a day; the newest of each first. */
  readonly known: Effect.Effect<ReadonlyArray<KnownProcess>>
  /** Nanoseconds since this process last said that it is alive. */
  readonly age: () => bigint
}

/** The row of this process, and those of the others. */
export class Presence extends Context.Tag("placement/Presence")<Presence, Living>() {
  /**
   * `ttlSeconds`: how long a killed process still counts as alive. Heartbeats renew the row; an orderly end removes it.
   */
  static readonly layer = (options: {
    readonly processId: string
    readonly ttlSeconds: number
  }): Layer.Layer<Presence, never, Database | Heartbeats> =>
    Layer.scoped(
      Presence,
      Effect.gen(function* () {
        const { processId, ttlSeconds } = options
        const { query } = yield* Database
        const beat = {
          text: `INSERT INTO server_process (id, alive_until, lag_millis)
                 VALUES ($1, clock_timestamp() + $2 * interval '1 second', $3::int)
                 ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until, lag_millis = excluded.lag_millis`,
          values: [processId, ttlSeconds]
        }
        // Rows of dead processes stay for a day, so that a process that was only suspended finds what it held.
        const prune = query({
          text: "DELETE FROM server_process WHERE alive_until < clock_timestamp() - interval '1 day'"
        })
        const quietly = (work: Effect.Effect<unknown>) =>
          Effect.catchAllCause(work, (cause) =>
            Cause.isInterruptedOnly(cause)
              ? Effect.void
              : Effect.logError("The row of this process could not be written", cause)
          )
        yield* query({ text: beat.text, values: [...beat.values, 0] })
        yield* Effect.addFinalizer(() =>
          quietly(query({ text: "DELETE FROM server_process WHERE id = $1", values: [processId] }))
        )
        const { age } = yield* (yield* Heartbeats).start("presence", beat)
        yield* everyHour(prune, "Rows of dead processes could not be removed")
        const living = Effect.map(
          query<{ readonly id: string }>({
            name: "server_process_living",
            text: "SELECT id FROM server_process WHERE alive_until > clock_timestamp()"
          }),
          // This process is alive, even if its own row is late.
          (rows) => new Set([processId, ...rows.map(({ id }) => id)])
        )
        const known = Effect.map(
          query<{
            readonly id: string
            readonly started_at: Date
            readonly alive_until: Date
            readonly alive: boolean
            readonly lag_millis: number | null
          }>({
            name: "server_process_known",
            text: `SELECT id, started_at, alive_until, lag_millis, id = $1 OR alive_until > clock_timestamp() AS alive
                   FROM server_process ORDER BY alive DESC, started_at DESC, id LIMIT $2`,
            values: [processId, mostKnown]
          }),
          (rows) =>
            rows.map(({ alive, alive_until, id, lag_millis, started_at }) => ({
              id,
              startedAt: started_at.toISOString(),
              alive,
              aliveUntil: alive_until.toISOString(),
              ...(lag_millis === null ? {} : { lagMs: lag_millis })
            }))
        )
        return Presence.of({ processId, living, known, age })
      })
    )
}
