/**
 * An embedded Postgres, for a start without any setting. Its data survive a kill -9 of our process, and so does the
 * server itself: the next start adopts it.
 */
import { Clock, Data, Effect, type Redacted, Ref, type Scope } from "effect"
import { traced } from "../../telemetry/traced.ts"
import { type Cluster, type ClusterAddress, openCluster, processState } from "./postgresCluster.ts"
import { answers, type StartedServer, startServer } from "./postgresServer.ts"
import { register, unregister } from "./serverUsers.ts"

/** The server could not be started; the message says why and what to do. */
export class EmbeddedPostgresFailed extends Data.TaggedError("EmbeddedPostgresFailed")<{
  readonly message: string
}> {}

/** Where the data of the embedded server are, and server settings beside ours. */
export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  /** Server settings on top of ours, e.g. `fsync: "off"` for a throw-away one. */
  readonly settings?: Readonly<Record<string, string>>
}

/** The two logins of the embedded server. */
export interface EmbeddedUrls {
  /** The superuser's. */
  readonly adminUrl: Redacted.Redacted<string>
  /** The login that serves, which `Database` creates. */
  readonly url: Redacted.Redacted<string>
}

/** A cluster that this process uses, as `user`. */
interface Opened {
  readonly cluster: Cluster
  readonly user: string
  readonly started: StartedServer
}

/** By data directory: what `begin` has begun, and `acquire` has not yet taken over. */
const begun = new Map<string, Promise<Opened>>()

const taken = (dataDir: string): Promise<Opened> | undefined => {
  const opened = begun.get(dataDir)
  begun.delete(dataDir)
  return opened
}

/** So long `begin` waits for the server's process at most; where there is no cluster yet, it is made meanwhile. */
const headStartMillis = 100

/**
 * Begins what `acquire` does, so that the server starts while other code is read. Whether it succeeds is seen there. If nothing
 * has taken the server over when the scope closes, it is stopped.
 */
export const begin = (options: EmbeddedPostgresOptions): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => {
        const opened = open(options)
        begun.set(options.dataDir, opened)
        return opened.then(
          () => undefined,
          () => undefined
        )
      }),
      () =>
        Effect.suspend(() => {
          const left = taken(options.dataDir)
          if (left === undefined) return Effect.void
          return Effect.ignore(
            Effect.flatMap(
              attempt(() => left),
              ({ cluster, started, user }) => stop(cluster, user, started.address)
            )
          )
        })
    ),
    (opened) =>
      Effect.promise(() => opened).pipe(Effect.timeoutOption(headStartMillis), Effect.withClock(Clock.make()))
  )

async function open({ dataDir, settings = {} }: EmbeddedPostgresOptions): Promise<Opened> {
  const cluster = await openCluster(dataDir)
  // Register before looking for a running server: a process that ends now must see that we use it.
  const user = await register(cluster)
  try {
    return { cluster, user, started: await startServer(cluster, settings, undefined) }
  } catch (error) {
    await unregister(cluster, user)
    throw error
  }
}

/**
 * Starts the server under `dataDir`, or adopts the one that runs there, and starts it again when it dies. When the scope
 * closes it is stopped, unless another process uses it. If the server's account cannot reach `dataDir`, a directory under
 * /var/lib/plugfest or /var/tmp is used (and logged).
 */
export const acquire = traced("EmbeddedPostgres.acquire")(function* (
  options: EmbeddedPostgresOptions
): Effect.fn.Return<EmbeddedUrls, EmbeddedPostgresFailed, Scope.Scope> {
  const { settings = {} } = options
  const { address, cluster } = yield* Effect.acquireRelease(
    Effect.gen(function* () {
      const { cluster, started, user } = yield* attempt(() => taken(options.dataDir) ?? open(options))
      const address = yield* run(cluster, settings, undefined, started).pipe(
        Effect.tapError(() => Effect.promise(() => unregister(cluster, user)))
      )
      return { cluster, user, address: yield* Ref.make(address) }
    }),
    ({ address, cluster, user }) =>
      Effect.flatMap(Ref.get(address), (current) => stop(cluster, user, current))
  )
  if (cluster.moved) {
    yield* Effect.logWarning(
      `The account that runs Postgres cannot reach ${options.dataDir}; the data are in ${cluster.root}`
    )
  }
  const { port } = yield* Ref.get(address)
  // The pool knows one port, so a server that died comes back on the same one.
  yield* Effect.gen(function* () {
    const { pid } = yield* Ref.get(address)
    yield* ended(pid)
    yield* Effect.logWarning("The embedded Postgres has ended; plugfest starts it again")
    yield* Effect.uninterruptible(
      Effect.flatMap(run(cluster, settings, port), (current) => Ref.set(address, current))
    )
  }).pipe(
    Effect.catchAll((error) => Effect.logError(error.message)),
    Effect.forever,
    Effect.forkScoped
  )
  return { adminUrl: cluster.adminUrl(port), url: cluster.url(port) }
}, Effect.withClock(Clock.make())) // another process gets ready in real time, under a test's clock too

/**
 * Waits for the server that was started, or starts it. A lost race, or a port taken meanwhile, leads to another try, at another
 * port unless one is wanted.
 */
const run = traced("EmbeddedPostgres.run")(function* (
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  wantedPort: number | undefined,
  begun?: StartedServer
) {
  for (let tries = 0; tries < 5; tries++) {
    const started =
      tries === 0 && begun !== undefined
        ? begun
        : yield* attempt(() => startServer(cluster, settings, wantedPort))
    if (yield* answers(cluster, started.address, started.lives)) return started.address
    yield* Effect.sleep("200 millis")
  }
  const log = yield* attempt(() => cluster.logTail())
  return yield* new EmbeddedPostgresFailed({
    message: `The embedded Postgres in ${cluster.root} does not start. Its log ends:\n${log}\nSet DATABASE_URL to use another Postgres.`
  })
})

/** Waits until the process is gone. By a timer of Node's, because a fiber each time is most of what a service at rest does. */
const ended = (pid: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setInterval(() => {
      if (processState(pid) !== "gone") return
      clearInterval(timer)
      resume(Effect.void)
    }, 500)
    return Effect.sync(() => clearInterval(timer))
  })

/** Fast shutdown, then wait: open transactions roll back, everything committed is on disk. */
const stop = traced("EmbeddedPostgres.stop")(function* (
  cluster: Cluster,
  user: string,
  address: ClusterAddress
) {
  if (!(yield* Effect.promise(() => unregister(cluster, user)))) return
  yield* Effect.sync(() => signal(address.pid, "SIGINT"))
  for (let polls = 0; polls < 400; polls++) {
    if (processState(address.pid) === "gone") return
    yield* Effect.sleep("25 millis")
  }
  yield* Effect.sync(() => signal(address.pid, "SIGQUIT"))
}, Effect.withClock(Clock.make()))

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {} // gone already
}

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, EmbeddedPostgresFailed> =>
  Effect.tryPromise({
    try: work,
    catch: (error) =>
      new EmbeddedPostgresFailed({ message: error instanceof Error ? error.message : String(error) })
  })
