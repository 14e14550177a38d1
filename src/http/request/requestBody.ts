/**
 * Reads request bodies with a limit. The platform has no limit and accepts other types than JSON. Here a body is read only
 * when a handler needs it (so that 401 comes before 413 and 400), up to the limit, and only as JSON.
 */
import type { ServerResponse } from "node:http"
import type { HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Data, Effect } from "effect"
import { readJsonBody } from "./jsonBody.ts"
import { notesOf } from "./requestNotes.ts"

/** The body is refused; answered with `status`. A defect where the platform allows no typed error. */
export class BodyRejected extends Data.TaggedError("BodyRejected")<{
  readonly status: 400 | 413 | 415
  readonly message: string
}> {}

/** Node's request object. */
export type Incoming = ReturnType<typeof NodeHttpServerRequest.toIncomingMessage>

const continues = new WeakMap<Incoming, () => void>()

/**
 * For `Expect: 100-continue`: sends 100 Continue when the body is read. An answer before that closes the connection, because
 * the client may or may not send the body after it.
 */
export const awaitContinue = (source: Incoming, response: ServerResponse): void => {
  response.setHeader("connection", "close")
  continues.set(source, () => {
    continues.delete(source)
    if (response.headersSent) return
    response.removeHeader("connection")
    response.writeContinue()
  })
}

/** Largest body of the API: 256 KiB. */
export const jsonLimitBytes = 256 * 1024

/** Largest body on the OCPI side: 1 MiB. */
export const ocpiLimitBytes = 1024 * 1024

/** The refusal of a body whose declared Content-Length exceeds the limit; undefined otherwise. */
export const declaredTooLarge = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): BodyRejected | undefined =>
  Number(request.headers["content-length"] ?? 0) > limit ? tooLarge(limit) : undefined

/** Replaces the platform's body readers of a request to the JSON API by ours. */
export const guardJsonBody = (request: HttpServerRequest.HttpServerRequest): void => {
  const rejected = wrongType(request)
  const text =
    rejected ?? readText(NodeHttpServerRequest.toIncomingMessage(request), jsonLimitBytes, "strict")
  const json = Effect.flatMap(text, (text) => {
    const parsed = readJsonBody(text)
    if ("wrong" in parsed) return new BodyRejected({ status: 400, message: parsed.wrong })
    notesOf(request).body = parsed.value
    return Effect.succeed(parsed.value)
  })
  for (const [name, value] of Object.entries({
    json,
    text,
    urlParamsBody: text,
    arrayBuffer: text,
    multipart: text
  })) {
    Object.defineProperty(request, name, { value })
  }
}

/**
 * The body as text, at most `limit` bytes. `strict` refuses what is not UTF-8; `lenient` replaces it, because what a
 * partner sends is evidence. Whoever waits for it no longer leaves it to be read to its end, or up to the limit.
 */
export const readText = (
  source: Incoming,
  limit: number,
  how: "strict" | "lenient"
): Effect.Effect<string, BodyRejected> =>
  Effect.async((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const stop = () => {
      source.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onLost)
      // Discard the rest, so that the client can read the answer before the connection closes.
      source.resume()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        stop()
        resume(tooLarge(limit))
      }
    }
    const onEnd = () => {
      stop()
      resume(decoded(Buffer.concat(chunks), how))
    }
    const onLost = () => {
      stop()
      resume(new BodyRejected({ status: 400, message: "The connection closed before the body was complete" }))
    }
    source.on("data", onData).on("end", onEnd).on("error", onLost).on("close", onLost)
    continues.get(source)?.()
  })

const decoders = { strict: new TextDecoder("utf-8", { fatal: true }), lenient: new TextDecoder("utf-8") }

function decoded(bytes: Buffer, how: "strict" | "lenient"): Effect.Effect<string, BodyRejected> {
  try {
    return Effect.succeed(decoders[how].decode(bytes))
  } catch {
    return new BodyRejected({ status: 400, message: "The body is not valid UTF-8" })
  }
}

function tooLarge(limit: number): BodyRejected {
  return new BodyRejected({ status: 413, message: `The body is larger than ${limit / 1024} KiB` })
}

function wrongType({ headers }: HttpServerRequest.HttpServerRequest): BodyRejected | undefined {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
  if (!hasBody) return undefined
  const refuse = (message: string) => new BodyRejected({ status: 415, message })
  const encoding = headers["content-encoding"]
  if (encoding !== undefined && encoding !== "identity") {
    return refuse("Content-Encoding is not supported; send the JSON as it is")
  }
  const [type = "", ...parameters] = (headers["content-type"] ?? "application/json").toLowerCase().split(";")
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith("charset="))
  if (type.trim() !== "application/json")
    return refuse("The body must be sent with Content-Type: application/json")
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset)
    ? undefined
    : refuse("The charset must be utf-8")
}
