/** How much of a body is kept as evidence. */
import { createHash } from "node:crypto"

/** Bytes of a stored body; what is longer is cut, and described by its length and hash. */
export const keptBytes = 256 * 1024

export interface KeptBody {
  readonly body: string | null
  readonly truncated: boolean
  readonly bodyBytes?: number
  readonly bodySha256?: string
}

/**
 * A body ready to be stored: cleaned first and cut afterwards, so that nothing can straddle the cut. Length and hash
 * are those of the body as it came. NUL, which Postgres cannot hold in text, becomes the replacement character.
 */
export const kept = (clean: (text: string) => string, message: KeptBody): KeptBody => {
  if (message.body === null) return { body: null, truncated: message.truncated }
  const cleaned = clean(message.body).replaceAll("\0", "\uFFFD")
  const bytes = Buffer.from(cleaned, "utf8")
  if (bytes.length <= keptBytes) {
    const { bodyBytes, bodySha256, truncated } = message
    return {
      body: cleaned,
      truncated,
      ...(bodyBytes === undefined ? {} : { bodyBytes }),
      ...(bodySha256 === undefined ? {} : { bodySha256 })
    }
  }
  return {
    body: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, keptBytes), {
      stream: true
    }),
    truncated: true,
    bodyBytes: message.bodyBytes ?? Buffer.byteLength(message.body, "utf8"),
    bodySha256: message.bodySha256 ?? sha256(message.body)
  }
}

/** Hex. */
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")
