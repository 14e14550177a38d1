/** How much of a body is kept as evidence. */
import { createHash } from "node:crypto"
import { readJson } from "./envelope.ts"

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
  return cut({ ...message, body: cleaned }, message.body, keptBytes)
}

/** At most `most` bytes of a body that is clean. Where it is longer, length and hash are those of `came`, as it came. */
export const cut = (message: KeptBody, came: string, most: number): KeptBody => {
  const { body, bodyBytes, bodySha256, truncated } = message
  const bytes = Buffer.from(body ?? "", "utf8")
  if (bytes.length <= most) {
    return {
      body,
      truncated,
      ...(bodyBytes === undefined ? {} : { bodyBytes }),
      ...(bodySha256 === undefined ? {} : { bodySha256 })
    }
  }
  return {
    body: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, most), { stream: true }),
    truncated: true,
    bodyBytes: bodyBytes ?? Buffer.byteLength(came, "utf8"),
    bodySha256: bodySha256 ?? sha256(came)
  }
}

/** The JSON of a body that was kept; `unread`: why it could not be read, which is nobody's mistake. */
export const readKept = ({
  body,
  truncated
}: Pick<KeptBody, "body" | "truncated">): { readonly json: unknown; readonly unread?: string } => {
  if (truncated) return { json: undefined, unread: "the body is larger than what we keep of one" }
  const { excess, json } = readJson(body ?? "")
  return excess === undefined ? { json } : { json, unread: `the body is too large for us: ${excess}` }
}

/** Hex. */
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")
