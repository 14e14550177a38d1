/** Answers that are written here and not by the contract's encoders: errors outside an endpoint, and ready JSON text. */
import { HttpServerResponse } from "@effect/platform"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"

type Headers = Readonly<Record<string, string>>

/** JSON text that is ready to be sent. */
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

/** The error body of the API. */
export const errorAnswer = (status: number, message: string, headers: Headers = {}) =>
  jsonText(JSON.stringify({ success: false, message }), status, headers)

/** An error on the OCPI side, in OCPI's envelope. */
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

/** Is this path on the OCPI side? */
export const isOcpiPath = (path: string): boolean =>
  /^\/(api\/v1\/)?ocpi(\/|$)|^\/sandbox\/[^/]+\/ocpi(\/|$)/.test(path)
