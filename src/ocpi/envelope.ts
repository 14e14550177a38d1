/** Builds and reads the OCPI response envelope (transport_and_format, Response format). */
import { numberIn } from "../findings/answers.ts"
import { isObject } from "../findings/json.ts"

/** The body of every OCPI response. */
interface ResponseEnvelope {
  readonly data?: unknown
  readonly status_code: number
  readonly status_message?: string
  readonly timestamp: string
}

/** An envelope. `data` undefined: left out, as in answers to pushes and errors. `timestamp` is an OCPI DateTime. */
export const envelope = (parts: {
  readonly data?: unknown
  readonly statusCode: number
  readonly statusMessage?: string
  readonly timestamp: string
}): ResponseEnvelope => ({
  ...(parts.data === undefined ? {} : { data: parts.data }),
  status_code: parts.statusCode,
  ...(parts.statusMessage === undefined ? {} : { status_message: parts.statusMessage }),
  timestamp: parts.timestamp
})

/**
 * The fields of an answer's envelope; undefined when the JSON is no envelope: an object whose `status_code` is an integer, or a
 * text of digits, which is read as its number (`numberIn`).
 */
export const readEnvelope = (
  json: unknown
):
  | { readonly statusCode: number; readonly data: unknown; readonly message: string | undefined }
  | undefined => {
  if (!isObject(json)) return undefined
  const { data, status_code, status_message } = json
  const statusCode = numberIn(status_code)
  if (!Number.isSafeInteger(statusCode)) return undefined
  return {
    statusCode,
    data,
    message: typeof status_message === "string" ? status_message : undefined
  }
}
