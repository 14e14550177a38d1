/**
 * Statements that renew rows of this process (its presence) at an interval. They run on a worker thread, so a
 * long computation on the event loop does not make the process look dead; but they stop once the event loop has been
 * blocked for so long that another process should take over.
 */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { Clock, Context, Data, Deferred, Effect, Layer, Queue, type Scope } from "effect"
import { Database } from "../../database/Database.ts"
import { everySecond } from "../../database/retry.ts"
import {
  aliveMillis,
  type BeatStatement,
  type HeartbeatMessage,
  type HeartbeatReply,
  type HeartbeatThreadData,
  lastBeat,
  lateness,
  mainAlive,
  mostLate
} from "./heartbeatMessage.ts"

/** One heartbeat statement. */
interface Beat {
  /** Nanoseconds since the start of the last round of statements that succeeded; since boot, if none has yet. */
  readonly age: () => bigint
}

/** How often the statements run, and how long a blocked event loop is tolerated. */
interface HeartbeatsOptions {
  readonly everySeconds: number
  /** How long the event loop may be blocked before the statements stop; default 60, or 12 intervals if that is more. */
  readonly standstillSeconds?: number
}

/** The thread ended by itself. */
class ThreadEnded extends Data.TaggedError("ThreadEnded")<{ readonly message: string }> {}

/** A blockage of the event loop that lasts longer is logged. */
const pauseSeconds = 2

/** Runs heartbeat statements on one worker thread with a connection of its own. */
export class Heartbeats extends Context.Tag("placement/Heartbeats")<
  Heartbeats,
  {
    /**
     * Runs the statement now and at each interval, until the scope closes; after that it is not running and does not run
     * again.
     */
    readonly start: (name: string, statement: BeatStatement) => Effect.Effect<Beat, never, Scope.Scope>
  }
>() {
  static readonly layer = (options: HeartbeatsOptions): Layer.Layer<Heartbeats, never, Database> =>
    Layer.scoped(
      Heartbeats,
      Effect.gen(function* () {
        const { connection } = yield* Database
        const shared = new SharedArrayBuffer(24)
        const times = new BigInt64Array(shared)
        const beats = new Map<string, BeatStatement>()
        const stopped = new Map<string, Deferred.Deferred<void>>()
        // Whole numbers, of which the thread makes BigInts.
        const everyMillis = Math.round(options.everySeconds * 1000)
        const standstillMillis = Math.round(
          1000 * (options.standstillSeconds ?? Math.max(60, 12 * options.everySeconds))
        )
        const data: HeartbeatThreadData = {
          connection,
          everyMillis,
          standstillMillis,
          shared
        }
        Atomics.store(times, mainAlive, process.hrtime.bigint())
        Atomics.store(times, lastBeat, process.hrtime.bigint())

        let thread: Worker | undefined
        const tell = (message: HeartbeatMessage) => thread?.postMessage(message)
        const failures = yield* Queue.sliding<string>(1)
        const hear = (reply: HeartbeatReply) => {
          if (reply.type === "failed") return void failures.unsafeOffer(reply.message)
          const waiting = stopped.get(reply.beat)
          if (waiting !== undefined) Deferred.unsafeDone(waiting, Effect.void)
        }
        yield* Queue.take(failures).pipe(
          Effect.flatMap((message) =>
            Effect.logWarning(`A heartbeat statement failed and is retried: ${message}`)
          ),
          Effect.forever,
          Effect.forkScoped
        )
        const file = threadFile()
        /** Starts the thread and fails when the thread ends by itself. */
        const life = Effect.scoped(
          Effect.acquireRelease(
            Effect.sync(() => {
              thread = startThread(file, data)
              thread.on("message", hear)
              for (const [beat, statement] of beats) tell({ type: "start", beat, statement })
              return thread
            }),
            (worker) =>
              Effect.async<void>((resume) => {
                thread = undefined
                worker.once("exit", () => resume(Effect.void))
                worker.postMessage({ type: "end" } satisfies HeartbeatMessage)
              }).pipe(
                Effect.interruptible,
                Effect.timeoutTo({
                  duration: "1 second",
                  onSuccess: () => Effect.void,
                  onTimeout: () => Effect.promise(() => worker.terminate())
                }),
                Effect.flatten
              )
          ).pipe(
            Effect.flatMap((worker) =>
              Effect.async<never, ThreadEnded>((resume) => {
                worker.once("error", ({ message }) => resume(new ThreadEnded({ message })))
                worker.once("exit", (code) =>
                  resume(new ThreadEnded({ message: `it ended with code ${code}` }))
                )
              })
            )
          )
        )
        yield* life.pipe(
          Effect.tapError((error) =>
            Effect.logError(`The heartbeat thread ended and is started again: ${error.message}`)
          ),
          Effect.retry(everySecond),
          Effect.orDie, // retried without end
          Effect.withClock(Clock.make()), // leases run out in real time, under a test's clock too
          Effect.forkScoped
        )
        const pauses = yield* Queue.sliding<number>(1)
        yield* Queue.take(pauses).pipe(
          Effect.flatMap((seconds) =>
            Effect.logWarning(
              `The event loop was blocked for ${seconds.toFixed(1)} s${
                seconds * 1000 > standstillMillis ? "; other processes may have taken over its runs" : ""
              }`
            )
          ),
          Effect.forever,
          Effect.forkScoped
        )
        const noteAlive = () => {
          const now = process.hrtime.bigint()
          const passed = now - Atomics.exchange(times, mainAlive, now)
          const late = lateness(passed)
          if (late > Atomics.load(times, mostLate)) Atomics.store(times, mostLate, late)
          const seconds = Number(passed) / 1e9
          if (seconds >= pauseSeconds) pauses.unsafeOffer(seconds)
        }
        // A timer of Node's, also under a test's clock: with a fiber each time, a service at rest would mostly do this.
        yield* Effect.acquireRelease(
          Effect.sync(() => setInterval(noteAlive, aliveMillis)),
          (timer) => Effect.sync(() => clearInterval(timer))
        )

        const start = (name: string, statement: BeatStatement) =>
          Effect.acquireRelease(
            Effect.sync((): Beat => {
              beats.set(name, statement)
              tell({ type: "start", beat: name, statement })
              return { age: () => process.hrtime.bigint() - Atomics.load(times, lastBeat) }
            }),
            () =>
              Effect.gen(function* () {
                beats.delete(name)
                if (thread === undefined) return
                const done = yield* Deferred.make<void>()
                stopped.set(name, done)
                tell({ type: "stop", beat: name })
                yield* Deferred.await(done).pipe(
                  Effect.interruptible,
                  Effect.timeoutOption("1 second"),
                  Effect.withClock(Clock.make())
                )
              })
          )
        return Heartbeats.of({ start })
      })
    )
}

/** The built thread is a file beside the bundle; from sources it is compiled as it is loaded. Without it no process may serve. */
function threadFile(): string {
  const files = ["./heartbeatThread.js", "./heartbeatThread.mjs"].map((name) =>
    fileURLToPath(new URL(name, import.meta.url))
  )
  const found = files.find((file) => existsSync(file))
  if (found === undefined) throw new Error(`The heartbeat thread's file is missing: ${files[0]}`)
  return found
}

function startThread(file: string, workerData: HeartbeatThreadData): Worker {
  const worker = new Worker(file, {
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 48 }
  })
  worker.unref()
  return worker
}
