/** The text of an API key: `pf_live_`, 33 random base62 characters, 6 of their CRC32 (a typo or a scanner sees it at once). */
import { createHash, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"
import { Effect, Redacted } from "effect"

const prefix = "pf_live_"
const randomLength = 33
const checkLength = 6
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** A new key: about 196 bits. */
export const makeApiKey: Effect.Effect<Redacted.Redacted<string>> = Effect.sync(() =>
  Redacted.make(apiKeyOf(randomBase62(randomLength)))
)

/** The key that has these 33 characters: whoever knows the rule can make it, but not guess the one of somebody else. */
export const apiKeyOf = (body: string): string => prefix + body + checksum(body)

/** Has it the form of a key of ours, with the right checksum? Needs no database. */
export const isApiKey = (text: string): boolean => apiKeyBody(text) !== undefined

/** Its characters that were chosen at random; undefined for what has not the form of a key of ours. */
export function apiKeyBody(text: string): string | undefined {
  if (text.length !== prefix.length + randomLength + checkLength || !text.startsWith(prefix)) return undefined
  const body = text.slice(prefix.length, prefix.length + randomLength)
  return /^[0-9A-Za-z]+$/.test(body) && text.slice(-checkLength) === checksum(body) ? body : undefined
}

/** SHA-256, as it is stored. Enough for a secret of that many random bits. */
export const hashOf = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest()

/** What a listing shows of it. */
export const shownPrefix = (text: string): string => text.slice(0, prefix.length + 4)

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ""
  for (let at = 0; at < checkLength; at++) {
    digits = alphabet[rest % 62]! + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomBase62(length: number): string {
  let text = ""
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 * 62: the bytes above would make some characters likelier than others.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}
