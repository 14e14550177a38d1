/**
 * How processes call each other: HTTP at a path of the service's own port, with a bearer token that is derived from the encryption
 * keys. The library has no authentication of its own.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { HttpRunner } from "@effect/cluster"
import {
  FetchHttpClient,
  HttpClient,
  HttpClientError,
  HttpClientRequest,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { RpcSerialization } from "@effect/rpc"
import { Context, Effect, Layer, type Scope } from "effect"

/** Where a process takes calls of the others. */
export const messagesPath = "/internal/messages"

/** The HTTP endpoint for calls of other processes: 401 without one of the tokens. */
export class ProcessMessages extends Context.Tag("placement/ProcessMessages")<
  ProcessMessages,
  {
    readonly answer: Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      never,
      HttpServerRequest.HttpServerRequest | Scope.Scope
    >
  }
>() {}

/** The token of each key: the first is sent, all are accepted, so that keys can be changed while processes run. */
export const tokensOf = (keys: ReadonlyArray<Buffer>): ReadonlyArray<string> =>
  keys.map((key) => createHmac("sha256", key).update("plugfest messages").digest("base64url"))

/** The endpoint: a request with one of the tokens reaches the library, every other one is answered 401. */
export const guarded = Effect.fnUntraced(function* (tokens: ReadonlyArray<string>) {
  const answer = yield* HttpRunner.toHttpEffect
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    tokens.some((token) => isSame(headers["authorization"], `Bearer ${token}`))
      ? answer
      : HttpServerResponse.empty({ status: 401 })
  )
}, Effect.provide(RpcSerialization.layerNdjson))

/** Calls processes, with the first token. `urlOf`: where the process of an id is. */
export const callsTo = (urlOf: (processId: string) => string | undefined, [token]: ReadonlyArray<string>) =>
  HttpRunner.layerClientProtocolHttpDefault.pipe(
    Layer.provide(
      Layer.effect(
        HttpClient.HttpClient,
        Effect.map(HttpClient.HttpClient, (client) =>
          HttpClient.make((request, { hostname }) => {
            const url = urlOf(hostname)
            return url === undefined
              ? new HttpClientError.RequestError({
                  request,
                  reason: "InvalidUrl",
                  description: `${hostname} is not known to be alive`
                })
              : client.execute(
                  request.pipe(
                    HttpClientRequest.setUrl(`${url}${messagesPath}`),
                    HttpClientRequest.setHeader("authorization", `Bearer ${token}`)
                  )
                )
          })
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
