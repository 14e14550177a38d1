/** One connection of this process that listens, and comes back when it breaks. */
import { Cause, Clock, Effect, Fiber, Queue, Schedule, type Scope } from "effect"
import pg from "pg"
import { untilBack } from "./retry.ts"

/** A connection that nobody would tell us is dead: a machine that lost its power sends no farewell. */
const probeSeconds = 5
/** At once after a connection that held for a while, at most a second apart when there is none. */
const reconnecting = Schedule.resetAfter(untilBack, "10 seconds")

/**
 * Hears what is notified on the channel. `null` each time when the connection stands anew: what was said before is lost.
 * Never ends by itself.
 */
export const listenForever = (
  config: pg.ClientConfig,
  channel: string,
  heard: (payload: string | null) => Effect.Effect<unknown>
): Effect.Effect<never> => {
  const session = Effect.scoped(
    Effect.gen(function* () {
      const words = yield* Queue.unbounded<string | null>()
      const { broken, client } = yield* connected(config, (payload) => words.unsafeOffer(payload))
      yield* asked(client, `LISTEN ${pg.escapeIdentifier(channel)}`)
      yield* Queue.offer(words, null)
      const hearing = yield* Effect.fork(Effect.forever(Effect.flatMap(Queue.take(words), heard)))
      const probing = asked(client, "SELECT 1").pipe(Effect.delay(`${probeSeconds} seconds`), Effect.forever)
      return yield* Effect.raceFirst(broken, probing).pipe(Effect.ensuring(Fiber.interrupt(hearing)))
    })
  )
  return session.pipe(
    Effect.tapErrorCause((cause) => Effect.logDebug("The listening connection broke", Cause.squash(cause))),
    Effect.retry(reconnecting),
    Effect.orDie, // it is tried again without end
    Effect.withClock(Clock.make()) // Postgres lives in real time, under a test's clock too
  )
}

interface Connected {
  readonly client: pg.Client
  /** Fails when the connection is gone. */
  readonly broken: Effect.Effect<never, unknown>
}

const connected = (
  config: pg.ClientConfig,
  said: (payload: string) => void
): Effect.Effect<Connected, unknown, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise(async () => {
      const client = new pg.Client({ ...config, application_name: "plugfest listener" })
      let tell: ((error: unknown) => void) | undefined
      let error: unknown
      const fail = (cause: unknown) => {
        error ??= cause
        tell?.(error)
      }
      client.on("error", fail)
      client.on("end", () => fail(new Error("the connection ended")))
      client.on("notification", ({ payload }) => said(payload ?? ""))
      await client.connect()
      const broken = Effect.async<never, unknown>((resume) => {
        tell = (cause) => resume(Effect.fail(cause))
        if (error !== undefined) tell(error)
      })
      return { client, broken }
    }),
    // A dead peer would not answer a farewell: it is not waited for long.
    ({ client }) =>
      Effect.tryPromise(() => client.end()).pipe(
        Effect.interruptible,
        Effect.timeoutOption("1 second"),
        Effect.ignore
      )
  )

const asked = (client: pg.Client, text: string) =>
  Effect.tryPromise(() => client.query(text)).pipe(Effect.timeout("3 seconds"))
