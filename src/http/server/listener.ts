/** Effect's `HttpServer` on a Node server. Direct answers see each request first. */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { makeDirectAnswers } from "../direct/DirectAnswers.ts"
import { makeDirectOcpi } from "../handlers/directOcpi.ts"
import type { DirectAnswers } from "../request/plainHead.ts"

/** Listens while its scope is open; fails with ServeError. `node` is asked for the server once. */
export const listener = (node: () => Server, address: { readonly host: string; readonly port: number }) =>
  Layer.merge(
    Layer.scoped(
      HttpServer.HttpServer,
      Effect.gen(function* () {
        const toClients = yield* makeDirectAnswers
        const toPartners = yield* makeDirectOcpi
        const direct: DirectAnswers = (request, response, general) =>
          toClients(request, response, () => toPartners(request, response, general))
        const server = node()
        const { address: listening } = yield* NodeHttpServer.make(() => server, address)
        return HttpServer.make({
          address: listening,
          serve: (app, middleware) =>
            // The platform types the middleware's requirements as unknown; it has been given them.
            serveOn(
              server,
              direct,
              NodeHttpServer.makeHandler(app, middleware as never) as Effect.Effect<Handler>
            )
        })
      })
    ),
    NodeHttpServer.layerContext
  )

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const serveOn = (server: Server, direct: DirectAnswers, general: Effect.Effect<Handler>) =>
  Effect.flatMap(general, (handle) => {
    const handler: Handler = (request, response) => direct(request, response, () => handle(request, response))
    return Effect.acquireRelease(
      Effect.sync(() => void server.on("request", handler)),
      () => Effect.sync(() => void server.off("request", handler))
    )
  })
