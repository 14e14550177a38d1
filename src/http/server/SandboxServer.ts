/** The server of `plugfest sandbox`: one sandbox partner's OCPI side, without the API. */
import type { Server as NodeServer } from "node:http"
import { HttpLayerRouter, HttpMiddleware } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { OcpiHttp } from "../handlers/OcpiHttp.ts"
import { OcpiReceiver } from "../handlers/OcpiReceiver.ts"
import { Draining } from "../request/Draining.ts"
import { ErrorBodies } from "../request/ErrorBodies.ts"
import { listenFailed } from "./ListenFailed.ts"
import { closeConnections, makeNodeServer } from "./nodeServer.ts"

/** Milliseconds that open requests may take to end at a shutdown. */
const graceMillis = 2000

/** Listens and serves while its scope is open; fails with ListenFailed. */
export const SandboxServer = {
  layer: (options: { readonly host: string; readonly port: number; readonly publicUrl: string }) =>
    Layer.scopedDiscard(
      Effect.gen(function* () {
        let node: NodeServer | undefined
        const server = NodeHttpServer.layer(
          () => {
            node = makeNodeServer()
            return node
          },
          { host: options.host, port: options.port }
        )
        const receiver = OcpiReceiver.layer({ publicUrl: options.publicUrl, sandbox: true })
        const routes = Layer.merge(Layer.provide(OcpiHttp, receiver), ErrorBodies)
        yield* Layer.build(
          HttpLayerRouter.serve(routes, {
            disableLogger: true,
            disableListenLog: true,
            routerConfig: { ignoreTrailingSlash: true, maxParamLength: 256 }
          }).pipe(
            HttpMiddleware.withTracerDisabledWhen(() => true),
            Layer.provide(server)
          )
        ).pipe(Effect.mapError(({ cause }) => listenFailed(options, cause)))
        yield* Effect.addFinalizer(() =>
          Effect.promise(() => (node === undefined ? Promise.resolve() : closeConnections(node, graceMillis)))
        )
      })
    ).pipe(Layer.provide(Draining.layer))
}
