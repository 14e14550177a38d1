/** The routes of the OCPI side. */
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { OcpiReceiver } from "./OcpiReceiver.ts"

/** Routes of `/ocpi`, of the same under `/api/v1/ocpi`, and of `/sandbox/{id}/ocpi`; any method, with and without a final slash. */
export const OcpiHttp = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const { receive, sandbox } = yield* OcpiReceiver
    const serve = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      receive(NodeHttpServerRequest.toIncomingMessage(request))
    )
    for (const path of ["/ocpi", "/ocpi/*", "/api/v1/ocpi", "/api/v1/ocpi/*"] as const) {
      yield* router.add("*", path, serve)
    }
    if (sandbox) {
      yield* router.add("*", "/sandbox/:id/ocpi", serve)
      yield* router.add("*", "/sandbox/:id/ocpi/*", serve)
    }
  })
)
