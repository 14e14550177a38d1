/** Locks over all processes on one database, e.g. for counting rows and then adding one. */
import { randomUUID } from "node:crypto"
import { Clock, Context, Deferred, Effect, FiberId, Layer } from "effect"
import { Database } from "./Database.ts"

/** A lock whose holder died is free again after this time; nothing done under a lock takes nearly as long. */
const longestSeconds = 10
/** How often a waiting process tries again. */
const lookAgainMillis = 25

/** Mutual exclusion by name, over all processes on one database. Dies with `DatabaseDown` while Postgres is away. */
export class Locks extends Context.Tag("database/Locks")<
  Locks,
  {
    /** Runs the body while no other fiber or process holds the lock of that name. Must not be nested. */
    readonly withLock: <A, E, R>(name: string, body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layer: Layer.Layer<Locks, never, Database> = Layer.effect(
    Locks,
    Effect.gen(function* () {
      const { query } = yield* Database
      const lastInLine = new Map<string, Deferred.Deferred<void>>()

      /**
       * Fibers of this process queue in memory, so only the first of them asks the database. Each waits for the one
       * before it alone: an `Effect.Semaphore` would wake every waiter at every turn, which is slow with hundreds of
       * them.
       */
      const inTurn = <A, E, R>(name: string, body: Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(
          Effect.suspend(() => {
            const before = lastInLine.get(name)
            const ours = Deferred.unsafeMake<void>(FiberId.none)
            lastInLine.set(name, ours)
            return Effect.as(before === undefined ? Effect.void : Deferred.await(before), ours)
          }),
          () => body,
          (ours) => {
            if (lastInLine.get(name) === ours) lastInLine.delete(name)
            return Deferred.succeed(ours, undefined)
          }
        )

      const acquire = (name: string, ticket: string) =>
        query({
          name: "lock_acquire",
          text: `INSERT INTO gate AS old (name, ticket, until)
                 VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second')
                 ON CONFLICT (name) DO UPDATE SET ticket = excluded.ticket, until = excluded.until
                 WHERE old.until < clock_timestamp() OR old.ticket = excluded.ticket RETURNING ticket`,
          values: [name, ticket, longestSeconds]
        }).pipe(
          Effect.repeat({
            until: (rows) => Effect.as(rows.length > 0 ? Effect.void : lookLater, rows.length > 0)
          })
        )

      const release = (name: string, ticket: string) =>
        query({
          name: "lock_release",
          text: "DELETE FROM gate WHERE name = $1 AND ticket = $2",
          values: [name, ticket]
        }).pipe(
          // The lock expires soon, and the work under it is finished.
          Effect.catchAllCause((cause) => Effect.logWarning(`The lock ${name} was not released`, cause))
        )

      const withLock = <A, E, R>(name: string, body: Effect.Effect<A, E, R>) =>
        inTurn(
          name,
          Effect.suspend(() => {
            const ticket = randomUUID()
            return Effect.uninterruptibleMask((restore) =>
              Effect.zipRight(restore(acquire(name, ticket)), restore(body)).pipe(
                Effect.ensuring(release(name, ticket))
              )
            )
          })
        )

      return Locks.of({ withLock })
    })
  )
}

// The other processes live in real time, under a test's clock too.
const lookLater = Effect.withClock(Effect.sleep(lookAgainMillis), Clock.make())
