/**
 * The text of an API key: `pf_live_`, 33 random base62 characters, and 6 characters of their CRC32, by which a typo is
 * noticed and a secret scanner finds keys.
 */
import { hash, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"
import { Effect, Redacted } from "effect"

const prefix = "pf_live_"
const randomLength = 33
const checkLength = 6
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** A new random key of about 196 bits. */
export const makeApiKey: Effect.Effect<Redacted.Redacted<string>> = Effect.sync(() =>
  Redacted.make(apiKeyOf(randomBase62(randomLength)))
)

/** The key with these 33 characters. The rule is public: only the characters are secret. */
export const apiKeyOf = (body: string): string => prefix + body + checksum(body)

/** Does the text have the form of an API key, with the right checksum? Needs no database. */
export const isApiKey = (text: string): boolean => apiKeyBody(text) !== undefined

/** The 33 random characters of a key; undefined when the text does not have the form of an API key. */
export function apiKeyBody(text: string): string | undefined {
  if (text.length !== prefix.length + randomLength + checkLength || !text.startsWith(prefix)) return undefined
  const body = text.slice(prefix.length, prefix.length + randomLength)
  return /^[0-9A-Za-z]+$/.test(body) && text.slice(-checkLength) === checksum(body) ? body : undefined
}

/** SHA-256 of a key, as stored. A plain hash suffices for a secret of that many random bits. */
export const hashOf = (text: string): Buffer => hash("sha256", text, "buffer")

/** The beginning of a key, as listings show it: `pf_live_` and four characters. */
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
      // 248 = 4 * 62: the bytes above would make some characters more frequent than others.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}
