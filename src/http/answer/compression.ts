/**
 * Compresses the large static texts `/docs` and `/openapi.json`, once for each encoding, and gives them an ETag, so that a
 * client that has the text gets 304.
 */
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"

type Response = HttpServerResponse.HttpServerResponse

const encoders = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
      }
    }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 })
} as const

/** An encoding that we compress with. */
export type Encoding = keyof typeof encoders

interface Known {
  readonly tag: string
  readonly compressed: Map<Encoding, Promise<Uint8Array>>
}

// Keyed by the body, which its route keeps; an entry lives as long as that.
const known = new WeakMap<Uint8Array, Known>()

/** Whether the text of this path is compressed. */
export const isCompressible = (path: string): boolean => path === "/openapi.json" || /^\/docs\/?$/.test(path)

/** The answer in the best encoding that the client accepts; 304 when If-None-Match names it. */
export const compress = (
  response: Response,
  { headers }: HttpServerRequest.HttpServerRequest
): Effect.Effect<Response> => {
  const { body } = response
  if (response.status !== 200 || body._tag !== "Uint8Array") return Effect.succeed(response)
  const text = body.body
  const { compressed: ready, tag } = knownOf(text)
  const encoding = encodingFor(headers["accept-encoding"])
  const etag = `"${tag}${encoding === undefined ? "" : `-${encoding}`}"`
  const own = {
    ...response.headers,
    etag,
    vary: "Accept-Encoding",
    // Caches may store it but must revalidate it by its ETag.
    "cache-control": "no-cache"
  }
  if (isNamedIn(headers["if-none-match"], etag)) {
    const { "content-length": _, "content-type": __, ...kept } = own as Record<string, string>
    return Effect.succeed(HttpServerResponse.empty({ status: 304, headers: kept }))
  }
  if (encoding === undefined) return Effect.succeed(HttpServerResponse.setHeaders(response, own))
  const encoded = ready.get(encoding) ?? encoders[encoding](text)
  ready.set(encoding, encoded)
  return Effect.map(
    Effect.promise(() => encoded),
    (bytes) =>
      HttpServerResponse.uint8Array(bytes, {
        ...(body.contentType === undefined ? {} : { contentType: body.contentType }),
        headers: { ...own, "content-encoding": encoding, "content-length": String(bytes.length) }
      })
  )
}

function knownOf(text: Uint8Array): Known {
  const found = known.get(text)
  if (found !== undefined) return found
  const fresh = {
    tag: createHash("sha256").update(text).digest("base64url").slice(0, 22),
    compressed: new Map<Encoding, Promise<Uint8Array>>()
  }
  known.set(text, fresh)
  return fresh
}

/** The encoding that compresses best of those that Accept-Encoding allows; undefined: none. `*` allows all. */
export const encodingFor = (accepted: string | undefined): Encoding | undefined => encodingsFor(accepted)[0]

/** The encodings that Accept-Encoding allows, the one that compresses best first. */
export function encodingsFor(accepted: string | undefined): ReadonlyArray<Encoding> {
  const wishes = new Map(
    (accepted ?? "").split(",").map((one) => {
      const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase())
      const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
      return [name, !isRefused] as const
    })
  )
  return (["br", "gzip"] as const).filter((name) => wishes.get(name) ?? wishes.get("*") ?? false)
}

/** Whether If-None-Match names the ETag; it compares weakly (RFC 9110, 13.1.2). */
export function isNamedIn(header: string | undefined, etag: string): boolean {
  return (header ?? "").split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")))
}
