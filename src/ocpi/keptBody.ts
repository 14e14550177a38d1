/** How much of a body is stored as evidence. */
import { createHash } from "node:crypto"
import { readJson } from "../findings/readJson.ts"

/** Most bytes of a stored body; a longer one is cut, and described by its length and hash. */
const keptBytes = 256 * 1024

/** A body as it is stored. `bodyBytes` and `bodySha256` (hex) describe a longer one as it came, as far as they are known. */
interface KeptBody {
  readonly body: string | null
  readonly truncated: boolean
  readonly bodyBytes?: number
  readonly bodySha256?: string
}

/**
 * A body ready to be stored: redacted first and cut afterwards, so that no secret straddles the cut. Length and hash are
 * those of the body as it came. NUL, which Postgres cannot store in text, becomes the replacement character.
 */
export const kept = (clean: (text: string) => string, message: KeptBody): KeptBody => {
  if (message.body === null) return { body: null, truncated: message.truncated, ...measures(message) }
  const found = clean(message.body)
  const cleaned = found.includes("\0") ? found.replaceAll("\0", "\uFFFD") : found
  return cut({ ...message, body: cleaned }, message.body, keptBytes)
}

/**
 * At most `most` bytes of a redacted body. If it is longer, length and hash are those of `came`, the body as it came; of a body that
 * was cut before, what was known of it then.
 */
export const cut = (message: KeptBody, came: string, most: number): KeptBody => {
  const { body, truncated } = message
  // A UTF-16 code unit takes three bytes at most.
  if (body === null || body.length * 3 <= most || Buffer.byteLength(body, "utf8") <= most)
    return { body, truncated, ...measures(message) }
  return {
    body: new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(body, "utf8").subarray(0, most), {
      stream: true
    }),
    truncated: true,
    ...(truncated
      ? measures(message)
      : { bodyBytes: Buffer.byteLength(came, "utf8"), bodySha256: sha256(came) })
  }
}

/** What is known of the whole body. */
const measures = ({ bodyBytes, bodySha256 }: KeptBody) => ({
  ...(bodyBytes === undefined ? {} : { bodyBytes }),
  ...(bodySha256 === undefined ? {} : { bodySha256 })
})

/** The JSON of a stored body; `unread`: why we could not read it, for which the partner is not to blame. */
export const readKept = ({
  body,
  truncated
}: Pick<KeptBody, "body" | "truncated">): { readonly json: unknown; readonly unread?: string } => {
  if (truncated) return { json: undefined, unread: "the body is larger than what we keep of one" }
  const { excess, json } = readJson(body ?? "")
  return excess === undefined ? { json } : { json, unread: `the body is too large for us: ${excess}` }
}

/** SHA-256 in hex. */
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")
