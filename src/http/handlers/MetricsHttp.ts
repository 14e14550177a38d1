/** `/metrics`, for Prometheus. */
import { createHash, timingSafeEqual } from "node:crypto"
import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { Gauges } from "../../services/operators/Gauges.ts"
import { contentType, counted, exposition } from "../../telemetry/exposition.ts"
import { errorAnswer } from "../answer/answers.ts"
import { makeProcessMetrics } from "../request/telemetry/processMetrics.ts"

/** The route of `GET /metrics`. `token`: the bearer token that requests need; undefined: none. */
export const MetricsHttp = (token: Redacted.Redacted<string> | undefined) =>
  HttpLayerRouter.use((router) =>
    Effect.gen(function* () {
      const gauges = yield* Gauges
      const ofProcess = yield* makeProcessMetrics
      yield* router.add(
        "GET",
        "/metrics",
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          if (!mayRead(headers["authorization"], token))
            return errorAnswer(
              401,
              "GET /metrics requires the token of the setting METRICS_TOKEN: send Authorization: Bearer <token>"
            )
          const families = [...(yield* gauges.read), ...counted(), ...(yield* ofProcess)]
          return HttpServerResponse.text(exposition(families), { contentType })
        })
      )
    })
  )

function mayRead(authorization: string | undefined, token: Redacted.Redacted<string> | undefined): boolean {
  if (token === undefined) return true
  const given = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? ""
  // Compare digests: timingSafeEqual needs equal lengths.
  return timingSafeEqual(digest(given), digest(Redacted.value(token)))
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}
