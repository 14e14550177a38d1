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

/** The refusal of a body of the API whose declared Content-Length exceeds the limit; undefined otherwise. */
export const declaredTooLarge = ({
  headers
}: HttpServerRequest.HttpServerRequest): BodyRejected | undefined =>
  Number(headers["content-length"] ?? 0) > jsonLimitBytes ? tooLarge : undefined

/** What has been read of a body: all of it, or its first bytes, as many as the limit allows. */
interface ReadBody {
  readonly bytes: Buffer
  readonly isWhole: boolean
}

/** The length that a request declares for its body; 0: none. */
export const declaredBytes = ({ headers }: Incoming): number => Number(headers["content-length"] ?? 0)

/** Requests of whose bodies something is left unread, however long it may be. */
const cutOff = new WeakSet<Incoming>()

/** Is more of the body under way than we read? The connection cannot be used again then. */
export const hasUnreadRest = (source: Incoming): boolean =>
  cutOff.has(source) || declaredBytes(source) > ocpiLimitBytes

/** Replaces the platform's body readers of a request to the JSON API by ours. */
export const guardJsonBody = (request: HttpServerRequest.HttpServerRequest): void => {
  const rejected = wrongType(request)
  const text =
    rejected ??
    Effect.flatMap(readBytes(NodeHttpServerRequest.toIncomingMessage(request), jsonLimitBytes), strictText)
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
 * The body of a partner's request as text; of one beyond `ocpiLimitBytes` its beginning. What is not UTF-8 is replaced, because what
 * a partner sends is evidence.
 */
export const readEvidence = (
  source: Incoming
): Effect.Effect<{ readonly text: string; readonly isWhole: boolean }, BodyRejected> =>
  Effect.map(readBytes(source, ocpiLimitBytes), ({ bytes, isWhole }) => ({
    // The last character of a beginning may be incomplete.
    text: new TextDecoder("utf-8").decode(bytes, { stream: !isWhole }),
    isWhole
  }))

/**
 * The body, or its first `limit` bytes. When the effect is interrupted, reading goes on to the end or to the limit. Fails when the
 * connection closes before.
 */
const readBytes = (source: Incoming, limit: number): Effect.Effect<ReadBody, BodyRejected> =>
  Effect.async((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const stop = () => {
      source.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onLost)
      // Discard the rest, so that the client can read the answer before the connection closes.
      source.resume()
    }
    const finish = (isWhole: boolean) => {
      stop()
      resume(Effect.succeed({ bytes: Buffer.concat(chunks), isWhole }))
    }
    const onData = (chunk: Buffer) => {
      const room = limit - size
      size += chunk.length
      chunks.push(chunk.length <= room ? chunk : chunk.subarray(0, room))
      if (size <= limit) return
      cutOff.add(source)
      finish(false)
    }
    const onEnd = () => finish(true)
    const onLost = () => {
      stop()
      resume(new BodyRejected({ status: 400, message: "The connection closed before the body was complete" }))
    }
    source.on("data", onData).on("end", onEnd).on("error", onLost).on("close", onLost)
    continues.get(source)?.()
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

function strictText({ bytes, isWhole }: ReadBody): Effect.Effect<string, BodyRejected> {
  if (!isWhole) return tooLarge
  try {
    return Effect.succeed(utf8.decode(bytes))
  } catch {
    return new BodyRejected({ status: 400, message: "The body is not valid UTF-8" })
  }
}

const tooLarge = new BodyRejected({
  status: 413,
  message: `The body is larger than ${jsonLimitBytes / 1024} KiB`
})

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
