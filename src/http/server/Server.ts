/** The HTTP server: all routes on one router, and an orderly shutdown. */
import type { Server as NodeServer } from "node:http"
import { HttpLayerRouter, HttpMiddleware, HttpServer } from "@effect/platform"
import { Clock, Effect, Layer, type Redacted } from "effect"
import { Api } from "../../api/Api.ts"
import { Feed } from "../../ledger/feed/feed.ts"
import { AuthenticationHttp } from "../access/AuthenticationHttp.ts"
import { ConsoleHttp } from "../console/ConsoleHttp.ts"
import { ConnectionsHttp } from "../handlers/ConnectionsHttp.ts"
import { HealthHttp } from "../handlers/HealthHttp.ts"
import { JourneyRunsHttp } from "../handlers/JourneyRunsHttp.ts"
import { MachinesHttp } from "../handlers/MachinesHttp.ts"
import { MetricsHttp } from "../handlers/MetricsHttp.ts"
import { OcpiHttp } from "../handlers/OcpiHttp.ts"
import { OcpiReceiver } from "../handlers/OcpiReceiver.ts"
import { ProcessMessagesHttp } from "../handlers/ProcessMessagesHttp.ts"
import { SandboxHttp } from "../handlers/SandboxHttp.ts"
import { ScenariosHttp } from "../handlers/ScenariosHttp.ts"
import { SessionHttp } from "../handlers/SessionHttp.ts"
import { SettingsHttp } from "../handlers/SettingsHttp.ts"
import { TestingHttp } from "../handlers/TestingHttp.ts"
import { WellKnownHttp } from "../handlers/WellKnownHttp.ts"
import { Draining } from "../request/Draining.ts"
import { ErrorBodies } from "../request/ErrorBodies.ts"
import { RequestTelemetry } from "../request/telemetry/requestTelemetry.ts"
import { documents } from "./documents.ts"
import { listenFailed } from "./ListenFailed.ts"
import { listener } from "./listener.ts"
import { closeConnections, makeNodeServer, type NodeServerOptions } from "./nodeServer.ts"

/** Where to listen, and what to serve. */
interface ServerOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly publicUrl: string
  /** Serve the OCPI side of sandbox partners. */
  readonly sandbox: boolean
  /** Bearer token that `/metrics` requires; undefined: none. */
  readonly metricsToken?: Redacted.Redacted<string> | undefined
  /** Folder of the built console; undefined: `dist/console`. */
  readonly consoleFolder?: string
  /** Limits on sockets and slow readers; undefined: `usualLimits`. */
  readonly sockets?: NodeServerOptions
  /** Runs once requests are served. `url`: the address that the server listens on. */
  readonly onListening?: (url: string) => Effect.Effect<void>
  /** Seconds at a shutdown in which only `/health/ready` is refused, for balancers to notice; default 0. */
  readonly drainSeconds?: number
  /** Seconds that open requests may take to end at a shutdown; default 12. */
  readonly graceSeconds?: number
}

type Served = Pick<ServerOptions, "publicUrl" | "metricsToken" | "consoleFolder">

const maxParamLength = 256

/**
 * All routes, without a server. Requires the services, the feed, the parties and the database. Tests serve it on a server
 * of their own.
 */
const routes = (options: Served) =>
  Layer.mergeAll(
    HttpLayerRouter.addHttpApi(Api).pipe(
      Layer.provide([
        ConnectionsHttp,
        TestingHttp,
        JourneyRunsHttp,
        ScenariosHttp,
        SandboxHttp,
        MachinesHttp,
        SettingsHttp,
        SessionHttp(options)
      ]),
      Layer.provide(AuthenticationHttp(options))
    ),
    documents,
    OcpiHttp,
    HealthHttp,
    WellKnownHttp,
    MetricsHttp(options.metricsToken),
    ProcessMessagesHttp,
    ConsoleHttp({ publicUrl: options.publicUrl, folder: options.consoleFolder }),
    Layer.provideMerge(ErrorBodies, RequestTelemetry)
  )

/** Serves the routes on the provided `HttpServer`. The platform's logger and tracer are off: they cost more than routing. */
export const served = (options: Served) =>
  HttpLayerRouter.serve(routes(options), {
    disableLogger: true,
    disableListenLog: true,
    routerConfig: { ignoreTrailingSlash: true, maxParamLength }
  }).pipe(HttpMiddleware.withTracerDisabledWhen(() => true))

/** The server of the service; fails with ListenFailed. */
export const Server = {
  /**
   * Listens and serves while its scope is open. At shutdown new requests get 503, event streams end with a comment, open
   * requests are finished, idle connections are closed, and after `graceSeconds` all connections.
   */
  layer: (options: ServerOptions) =>
    Layer.scopedDiscard(
      Effect.gen(function* () {
        const draining = yield* Draining
        const feed = yield* Feed
        let node: NodeServer | undefined
        const server = listener(() => {
          node = makeNodeServer(options.sockets)
          return node
        }, options)
        const context = yield* Layer.build(Layer.provideMerge(served(options), server)).pipe(
          Effect.mapError(({ cause }) => listenFailed(options, cause))
        )
        // Added last so that it runs first, while the services that open requests need still exist.
        yield* Effect.addFinalizer(() =>
          Effect.gen(function* () {
            yield* draining.announce
            const { drainSeconds = 0 } = options
            // Balancers live in real time, under a test's clock too.
            if (drainSeconds > 0)
              yield* Effect.withClock(Effect.sleep(`${drainSeconds} seconds`), Clock.make())
            yield* draining.begin
            yield* feed.drain
            if (node !== undefined) {
              const open = node
              yield* Effect.promise(() => closeConnections(open, (options.graceSeconds ?? 12) * 1000))
            }
          })
        )
        const { address } = yield* Effect.provide(HttpServer.HttpServer, context)
        const port = address._tag === "TcpAddress" ? address.port : options.port
        const host = options.host.includes(":") ? `[${options.host}]` : options.host
        yield* options.onListening?.(`http://${host}:${port}`) ?? Effect.void
      })
    ).pipe(Layer.provide([Draining.layer, OcpiReceiver.layer(options)]))
}
