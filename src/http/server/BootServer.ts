/**
 * What answers while we wait for the database at boot: `/health/live` says yes, everything else 503 with Retry-After.
 * It holds the address until `hide`, so that an orchestrator can tell "not ready" from "not there".
 */
import type { Server } from "node:http"
import { Context, Effect, Layer } from "effect"
import { databaseAwayMessage, databaseAwaySeconds } from "../../services/requests/unavailable.ts"
import { errorBody, plainHeaders } from "../request/rawAnswers.ts"
import { makeNodeServer } from "./nodeServer.ts"

const live = JSON.stringify({ success: true, data: { status: "ok" } })
const away = errorBody(databaseAwayMessage)

export class BootServer extends Context.Tag("http/BootServer")<
  BootServer,
  {
    /** Begins to answer; nothing when it does already, or when the address is taken (the real server will say so). */
    readonly show: Effect.Effect<void>
    /** Gives the address back. */
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
        ...plainHeaders,
        connection: "close",
        ...(isLive ? {} : { "retry-after": String(databaseAwaySeconds) })
      })
      response.end(isLive ? live : away)
    })
    server.once("error", () => resume(Effect.succeed(undefined)))
    server.listen(port, host, () => resume(Effect.succeed(server)))
  })

const close = (server: Server) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })
