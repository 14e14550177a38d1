/**
 * Secrets replaced by value, in every form in which they can travel: whoever echoes a token, and wherever, the ledger
 * never sees it. The placeholder is stable: the same secret has the same one in every exchange.
 */
import { createHash } from "node:crypto"
import { Redacted } from "effect"
import type { Exchange, ExchangeRequest, ExchangeResponse } from "../../schema/Exchange.ts"
import { parseJson } from "./envelope.ts"
import { kept } from "./keptBody.ts"
import type { Secrets } from "./OcpiClient.ts"

/** A text with the secrets taken out. */
export type Scrub = (text: string) => string

/** Shorter values are replaced only where they stand as a quoted string or after `Token`: they are parts of words. */
const shortest = 8

/** `«tokenB:3f2a»`: the name and the first four hex digits of the value's SHA-256. */
export const placeholder = (name: string, value: string): string =>
  `«${name}:${createHash("sha256").update(value).digest("hex").slice(0, 4)}»`

/**
 * Replaces every form of every secret: plain, JSON-escaped, URL-encoded, Base64 (padded, unpadded, URL-safe, with a
 * line feed encoded in, with the scheme encoded in, or amid a longer encoded text). A value that is exactly the Base64
 * form becomes `base64(«…»)`, so that evidence still tells how a token was sent.
 */
export const scrub = (secrets: Secrets): Scrub => {
  const replacements = new Map<string, string>()
  for (const { name, value } of secrets) {
    const plain = Redacted.value(value)
    if (plain === "") continue
    for (const [form, replacement] of forms(plain, placeholder(name, plain))) {
      if (!replacements.has(form)) replacements.set(form, replacement)
    }
  }
  if (replacements.size === 0) return (text) => text
  // One pass, longest first: a placeholder is never scrubbed again, and no form is cut by a shorter one.
  const pattern = new RegExp(
    [...replacements.keys()]
      .sort((a, b) => b.length - a.length)
      .map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"))
      .join("|"),
    "g"
  )
  return (text) => text.replace(pattern, (found) => replacements.get(found) ?? found)
}

/**
 * Tokens that a `credentials` exchange hands over and that are not among the known secrets: the one in the request
 * is a token B, the one in the response a token C.
 */
export const learn = (secrets: Secrets, exchange: Exchange): Secrets => {
  if (exchange.module !== "credentials") return secrets
  const known = new Set(secrets.map(({ value }) => Redacted.value(value)))
  const learnt = (["tokenB", "tokenC"] as const).flatMap((name) => {
    const body = name === "tokenB" ? exchange.request.body : (exchange.response?.body ?? null)
    return tokensIn(body ?? "")
      .filter((token) => !known.has(token))
      .map((token) => {
        known.add(token)
        return { name, value: Redacted.make(token) }
      })
  })
  return [...secrets, ...learnt]
}

/**
 * The exchange as it may be stored and shown: tokens learnt, every text scrubbed, bodies cut to what is kept. Takes
 * whole bodies, so that no secret can hide across the cut.
 */
export const scrubExchange = (secrets: Secrets, exchange: Exchange): Exchange => {
  const clean = scrub(learn(secrets, exchange))
  return {
    ...exchange,
    request: { ...scrubMessage(clean, exchange.request), url: clean(exchange.request.url) },
    response: exchange.response === null ? null : scrubMessage(clean, exchange.response),
    ...(exchange.fault === undefined
      ? {}
      : { fault: { kind: exchange.fault.kind, message: clean(exchange.fault.message) } }),
    requestId: clean(exchange.requestId),
    correlationId: clean(exchange.correlationId)
  }
}

function scrubMessage<M extends ExchangeRequest | ExchangeResponse>(clean: Scrub, message: M): M {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [clean(name), clean(value)])
  )
  return { ...message, headers, ...kept(clean, message) }
}

/** Forms of a secret and what each becomes. */
function forms(plain: string, mark: string): ReadonlyArray<readonly [string, string]> {
  const escaped = JSON.stringify(plain).slice(1, -1)
  if (plain.length < shortest) {
    return [
      [JSON.stringify(plain), `"${mark}"`],
      [`Token ${plain}`, `Token ${mark}`],
      [`Token ${base64(plain)}`, `Token base64(${mark})`]
    ]
  }
  const encoded = encodeURIComponent(plain)
  const bases = [
    [base64(plain), `base64(${mark})`],
    [base64(`${plain}\n`), `base64(${mark}\\n)`],
    [base64(`${plain}\r\n`), `base64(${mark}\\r\\n)`],
    [base64(`Token ${plain}`), `base64(Token ${mark})`],
    [base64(base64(plain)), `base64(base64(${mark}))`]
  ] as const
  return [
    [plain, mark],
    [escaped, mark],
    [escaped.replaceAll("/", "\\/"), mark],
    [encoded, mark],
    [lowerCodes(encoded), mark],
    [encoded.replaceAll("%20", "+"), mark],
    [new URLSearchParams({ v: plain }).toString().slice(2), mark],
    ...bases.flatMap(([text, shown]): ReadonlyArray<readonly [string, string]> => {
      const unpadded = text.replace(/=+$/, "")
      const safe = unpadded.replaceAll("+", "-").replaceAll("/", "_")
      return [
        [text, shown],
        [unpadded, shown],
        [encodeURIComponent(text), shown],
        [lowerCodes(encodeURIComponent(text)), shown],
        [text.replaceAll("/", "\\/"), shown],
        [safe, shown]
      ]
    }),
    ...cores(plain).map((core): readonly [string, string] => [core, mark])
  ]
}

/**
 * What Base64 of any longer text that holds the secret must hold: one string for each of the three alignments. The
 * characters at either edge mix with their neighbours and are left out.
 */
function cores(plain: string): ReadonlyArray<string> {
  const bytes = Buffer.from(plain, "utf8")
  if (bytes.length < 12) return []
  return [0, 1, 2].map((shift) => {
    const skipped = (3 - shift) % 3
    const whole = bytes.subarray(skipped, skipped + Math.floor((bytes.length - skipped) / 3) * 3)
    return whole.toString("base64")
  })
}

/** `%2F` as `%2f`: both are legal. */
function lowerCodes(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64")
}

/** Every `token` in the object, wherever it is wrapped; in a body that is not JSON, whatever is written like one. */
function tokensIn(body: string): ReadonlyArray<string> {
  const json = parseJson(body)
  if (typeof json === "object" && json !== null) {
    return tokensBelow(json)
  }
  return [...body.matchAll(/"token"\s*:\s*("(?:[^"\\]|\\.)+")/g)].flatMap(([, quoted]) => {
    const value = parseJson(quoted!)
    return typeof value === "string" ? [value] : []
  })
}

/** `parseJson` bounds the depth. */
function tokensBelow(json: object): ReadonlyArray<string> {
  return Object.entries(json).flatMap(([field, value]) => {
    if (typeof value === "object" && value !== null) return tokensBelow(value)
    return field === "token" && typeof value === "string" && value !== "" ? [value] : []
  })
}
