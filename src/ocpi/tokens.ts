/** Credentials tokens on the wire: the forms of the Authorization header, and issuing new ones. */
import { randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"
import { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"

/**
 * Longest token that is sent, in characters; no common server accepts a longer Authorization header (OCPI allows 64:
 * credentials, 1.1).
 */
export const maxTokenLength = 4096

/** How a token is written in the header: as it is, or Base64 encoded. */
export type TokenForm = "raw" | "base64"

/** The form of the token in the Authorization header of a version, which may be one that we do not speak; before 2.2 it was not encoded. */
export const tokenFormIn = (version: string, otherwise: TokenForm): TokenForm => {
  const known = OcpiVersion.literals.find((one) => one === version)
  if (known !== undefined) return profileOf(known).authorization
  return /^[01]\.|^2\.[01](\.|$)/.test(version) ? "raw" : otherwise
}

/** A reading of an inbound header's token. */
interface TokenCandidate {
  readonly value: string
  readonly form: TokenForm
  /** A trailing line feed was removed from the decoded text, which the encoder had included. */
  readonly hadNewline: boolean
}

/** An inbound Authorization header: its scheme and the possible readings of its token. */
interface InboundAuthorization {
  /** As sent; compare case-insensitively. */
  readonly scheme: string
  /** Raw reading first, then the Base64 reading where the text is strict Base64 of printable ASCII. */
  readonly candidates: ReadonlyArray<TokenCandidate>
}

/** The Authorization header's value for a token. `literal` is the value itself, for negative tests. */
export const authorizationValue = (token: Redacted.Redacted<string>, form: TokenForm | "literal"): string => {
  const value = Redacted.value(token)
  return form === "literal" ? value : `Token ${written(value, form)}`
}

/** A token as it is written after the scheme. */
export const written = (token: string, form: TokenForm): string =>
  form === "raw" ? token : Buffer.from(token, "utf8").toString("base64")

const strictBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const printable = /^[\x21-\x7e]+$/

const schemeAndText = /^(\S+)\s+(\S.*)$/

/** The token of an Authorization header with the scheme `Token`, as it is written there. */
export const writtenToken = (header: string | undefined): string | undefined => {
  const [, scheme, text] = schemeAndText.exec((header ?? "").trim()) ?? []
  return scheme?.toLowerCase() === "token" ? text : undefined
}

/** Reads an inbound Authorization header; undefined when there is none, or no text after the scheme. */
export const inboundAuthorization = (header: string | undefined): InboundAuthorization | undefined => {
  const match = schemeAndText.exec((header ?? "").trim())
  if (match === null) return undefined
  const scheme = match[1]!
  const text = match[2]!
  const raw: TokenCandidate = { value: text, form: "raw", hadNewline: false }
  if (!strictBase64.test(text)) return { scheme, candidates: [raw] }
  const decoded = Buffer.from(text, "base64").toString("latin1")
  const stripped = decoded.replace(/\r?\n$/, "")
  return printable.test(stripped)
    ? {
        scheme,
        candidates: [raw, { value: stripped, form: "base64", hadNewline: stripped !== decoded }]
      }
    : { scheme, candidates: [raw] }
}

/**
 * A new token: 192 random bits, 57 characters. It contains a `-`, which Base64 does not, so its raw and its encoded form
 * cannot be confused.
 */
export const issueToken: Effect.Effect<Redacted.Redacted<string>> = Effect.sync(() =>
  Redacted.make(`plugfest-${randomBytes(24).toString("hex")}`)
)
