/**
 * How runners talk to each other: HTTP with a bearer token that is derived from the encryption keys. The library has no
 * authentication of its own.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { HttpRunner } from "@effect/cluster"
import {
  FetchHttpClient,
  HttpClient,
  HttpClientRequest,
  type HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { RpcSerialization } from "@effect/rpc"
import { Effect, Layer } from "effect"

/** The token of each key: the first is sent, all are accepted, so that keys can be changed while processes run. */
export const tokensOf = (keys: ReadonlyArray<Buffer>): ReadonlyArray<string> =>
  keys.map((key) => createHmac("sha256", key).update("plugfest runner").digest("base64url"))

/** Listens on that port, or any; the address is told. */
export const listen = (host: string, port: number) =>
  Effect.orDie(NodeHttpServer.make(() => createServer(), { host, port }))

/** Serves the messages of other runners, and refuses who does not know a token. */
export const served = (server: HttpServer.HttpServer, tokens: ReadonlyArray<string>) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const answer = yield* HttpRunner.toHttpEffect
      const guarded = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        tokens.some((token) => isSame(headers["authorization"], `Bearer ${token}`))
          ? answer
          : HttpServerResponse.empty({ status: 401 })
      )
      yield* server.serve(guarded)
    })
  ).pipe(Layer.provide(RpcSerialization.layerNdjson))

/** Sends messages to other runners. */
export const sent = ([token]: ReadonlyArray<string>) =>
  HttpRunner.layerClientProtocolHttpDefault.pipe(
    Layer.provide(
      Layer.effect(
        HttpClient.HttpClient,
        Effect.map(
          HttpClient.HttpClient,
          HttpClient.mapRequest(HttpClientRequest.setHeader("authorization", `Bearer ${token}`))
        )
      )
    ),
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(RpcSerialization.layerNdjson)
  )

function isSame(given: string | undefined, wanted: string): boolean {
  const [a, b] = [Buffer.from(given ?? ""), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
