/**
 * This process among those on one database. What a process holds (an open stream, a claim) counts for as long as its
 * row says that it is alive, by the database's clock.
 */
import { Cause, Context, Effect, Layer, Schedule } from "effect"
import { Database } from "./Database.ts"
import { Heartbeats } from "./Heartbeats.ts"
import { outlast } from "./retry.ts"

export class Presence extends Context.Tag("database/Presence")<
  Presence,
  {
    /** Other than that of every process before and beside it. */
    readonly processId: string
    /** The ids of all that are alive, this one among them. */
    readonly living: Effect.Effect<ReadonlySet<string>>
  }
>() {
  /**
   * `ttlSeconds`: a process that was killed counts as alive for at most so long. Its heartbeats renew the row, which is
   * removed at an orderly end.
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
          text: `INSERT INTO server_process (id, alive_until)
                 SELECT id, clock_timestamp() + $1 * interval '1 second' FROM jsonb_array_elements_text($2::jsonb) AS id
                 ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
          values: [ttlSeconds]
        }
        // Rows of the dead stay for a day, so that one which was only stopped for long finds what it held.
        const tidy = query({
          text: "DELETE FROM server_process WHERE alive_until < clock_timestamp() - interval '1 day'"
        })
        const quietly = (work: Effect.Effect<unknown>) =>
          Effect.catchAllCause(work, (cause) =>
            Cause.isInterruptedOnly(cause)
              ? Effect.void
              : Effect.logError("The row of this process could not be written", cause)
          )
        yield* query({ ...beat, values: [...beat.values, JSON.stringify([processId])] })
        yield* Effect.addFinalizer(() =>
          quietly(query({ text: "DELETE FROM server_process WHERE id = $1", values: [processId] }))
        )
        const { put } = yield* (yield* Heartbeats).start("presence", beat)
        put(processId, processId)
        yield* outlast(tidy).pipe(quietly, Effect.repeat(Schedule.spaced("1 hour")), Effect.forkScoped)
        const living = Effect.map(
          query<{ readonly id: string }>({
            name: "server_process_living",
            text: "SELECT id FROM server_process WHERE alive_until > clock_timestamp()"
          }),
          // Slow to say so or not: who asks is alive.
          (rows) => new Set([processId, ...rows.map(({ id }) => id)])
        )
        return Presence.of({ processId, living })
      })
    )
}
