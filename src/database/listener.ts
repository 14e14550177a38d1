/** One connection of this process that listens for notifications and reconnects when it breaks. */
import { Cause, Clock, Effect, Fiber, Queue, Schedule, type Scope } from "effect"
import pg from "pg"
import { untilBack } from "./retry.ts"

/** Detects a dead connection: a machine that lost its power closes none. */
const probeSeconds = 5
/** At once after a connection that lasted 10 seconds, else with growing pauses of at most a second. */
const reconnecting = Schedule.resetAfter(untilBack, "10 seconds")

/**
 * Passes each notification of the channel to `heard`, and `null` each time that the connection is (re-)established,
 * because notifications before that are lost. Never ends by itself.
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
    Effect.orDie, // retried without end
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
    // A dead server does not answer: the wait for its end is bounded.
    ({ client }) =>
      Effect.tryPromise(() => client.end()).pipe(
        Effect.interruptible,
        Effect.timeoutOption("1 second"),
        Effect.ignore
      )
  )

const asked = (client: pg.Client, text: string) =>
  Effect.tryPromise(() => client.query(text)).pipe(Effect.timeout("3 seconds"))
