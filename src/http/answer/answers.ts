/** Answers that are not made by the contract's encoders: errors outside endpoints, and JSON text. */
import { HttpServerResponse } from "@effect/platform"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { bodyOf, errorBody } from "./bodies.ts"

type Headers = Readonly<Record<string, string>>

/** Headers of every answer that has no others of these names: they forbid sniffing, framing, caching and loading. */
export const safeHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
} as const

/** The body of `/health/live` and of a ready `/health/ready`. */
export const liveText = bodyOf({ status: "ok" })

/** An answer whose body is already JSON text. */
export const jsonText = (
  body: string,
  status = 200,
  headers: Headers = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(body, {
    status,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body))
    }
  })

/** An answer with the error body of the API. */
export const errorAnswer = (status: number, message: string, headers: Headers = {}) =>
  jsonText(errorBody(message), status, headers)

/** An error in OCPI's envelope: 2000 for a 4xx, 3000 for a 5xx. */
export const ocpiErrorAnswer = (status: number, message: string, timestamp: string, headers: Headers = {}) =>
  jsonText(
    JSON.stringify({
      status_code: status < 500 ? ocpiStatus.clientError : ocpiStatus.serverError,
      status_message: message,
      timestamp
    }),
    status,
    headers
  )
