/** Builds and reads the OCPI response envelope (transport_and_format, Response format). */

/** The body of every OCPI response. */
export interface ResponseEnvelope {
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
 * The fields of an answer's envelope; undefined when the JSON is no envelope (an object with an integer `status_code`).
 */
export const readEnvelope = (
  json: unknown
):
  | { readonly statusCode: number; readonly data: unknown; readonly message: string | undefined }
  | undefined => {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined
  const { data, status_code, status_message } = json as Record<string, unknown> // an object, tested above
  if (typeof status_code !== "number" || !Number.isInteger(status_code)) return undefined
  return {
    statusCode: status_code,
    data,
    message: typeof status_message === "string" ? status_message : undefined
  }
}
