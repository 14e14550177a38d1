/**
 * Answers while the service waits for the database at boot: 200 to `/health/live`, 503 with Retry-After to everything else.
 * It listens on the service's address until `hide`, so that an orchestrator can distinguish "not ready" from "down".
 */
import type { Server } from "node:http"
import { Context, Effect, Layer } from "effect"
import { databaseAwayMessage, databaseAwaySeconds } from "../../services/requests/unavailable.ts"
import { liveText } from "../answer/answers.ts"
import { errorBody } from "../answer/bodies.ts"
import { jsonHeaders } from "../answer/rawAnswers.ts"
import { makeNodeServer } from "./nodeServer.ts"

const away = errorBody(databaseAwayMessage)

/** The server of the boot phase. */
export class BootServer extends Context.Tag("http/BootServer")<
  BootServer,
  {
    /** Starts to answer. Does nothing if it answers already or the address is in use; the real server reports that. */
    readonly show: Effect.Effect<void>
    /** Stops answering and frees the address. */
    readonly hide: Effect.Effect<void>
  }
>() {
  static readonly layer = (options: { readonly host: string; readonly port: number }) =>
    Layer.scoped(
      BootServer,
      Effect.gen(function* () {
        let open: Server | undefined
        const show = Effect.suspend(() => (open === undefined ? listen(options) : Effect.succeed(open))).pipe(
          Effect.map((server) => {
            open = server
          })
        )
        const hide = Effect.suspend(() => {
          const server = open
          open = undefined
          return server === undefined ? Effect.void : close(server)
        })
        yield* Effect.addFinalizer(() => hide)
        return BootServer.of({ show, hide })
      })
    )
}

const listen = ({ host, port }: { readonly host: string; readonly port: number }) =>
  Effect.async<Server | undefined>((resume) => {
    const server = makeNodeServer()
    server.on("request", (request, response) => {
      const isLive = request.url?.split("?")[0] === "/health/live"
      response.writeHead(isLive ? 200 : 503, {
        ...jsonHeaders,
        connection: "close",
        ...(isLive ? {} : { "retry-after": String(databaseAwaySeconds) })
      })
      response.end(isLive ? liveText : away)
    })
    server.once("error", () => resume(Effect.succeed(undefined)))
    server.listen(port, host, () => resume(Effect.succeed(server)))
  })

const close = (server: Server) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })
