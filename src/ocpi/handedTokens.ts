/**
 * Tokens that a body hands over. Partners send credentials to other paths than ours, and in other forms than OCPI's; what is in
 * them is a token all the same, and must not be stored as it is.
 */
import { isObject } from "../findings/json.ts"
import { parseJson } from "../findings/readJson.ts"
import { isTelling } from "../redaction/scrub.ts"
import { unescaped } from "../redaction/unescaped.ts"
import { maxTokenLength } from "./tokens.ts"

/** Names that partners give to the field. */
const tokenField = /^(?:auth_?|access_?)?token$/i

/** Text that may hold such a field with a text as its value; not `cdr_token`, nor the `token` of a command, which is an object. */
const mayHandOver =
  /(?<![a-z0-9_])(?:auth_?|access_?)?tok(?:en|\\u)[^{}[\],]{0,40}[=:>]\s{0,20}\\{0,7}["']?[^\s{[]/i

/** The field in a text that is no JSON: cut JSON, a form, XML, YAML. */
const written =
  /(?<![a-z0-9_-])(?:auth_?|access_?)?token\\{0,7}["']?\s{0,20}[:=>]\s{0,20}\\{0,7}["']?([^\s"'<>&,;{}[\]\\]{8,4096})/gi

/** The same with the value as JSON writes it, which may have quotes and spaces in it. */
const quoted = /"token"\s*:\s*("(?:[^"\\]|\\.)+")/g

/** Texts within texts that are read as JSON. */
const mostNested = 2

/**
 * Every token in the body, at any depth. `module`: that of the exchange; in any other than `credentials` only a token that
 * stands beside what else a credentials object has.
 */
export const tokensIn = (body: string, module: string): ReadonlyArray<string> => {
  const text = body.includes("\0") ? body.replaceAll("\0", "") : body
  const isCredentials = module === "credentials"
  if (!isCredentials && !mayHandOver.test(text)) return []
  const json = parseJson(text)
  if (json !== undefined) return tokensBelow(json, isCredentials, mostNested)
  const plain = unescaped(text)
  if (!isCredentials && !/url|roles|business_details/i.test(plain)) return []
  return [
    ...[...plain.matchAll(quoted)].map(([, value]) => parseJson(value!)),
    ...[...plain.matchAll(written)].map(([, value]) => value)
  ].filter(isToken)
}

/** Does the object have, beside a token, what credentials have? */
const isLikeCredentials = (object: object): boolean =>
  "url" in object || "roles" in object || "business_details" in object

/** `parseJson` bounds the depth. `all`: whatever object they are in. */
function tokensBelow(json: unknown, all: boolean, nested: number): ReadonlyArray<string> {
  if (typeof json === "string") {
    const inner = nested > 0 && /^\s*[[{]/.test(json) && /tok/i.test(json) ? parseJson(json) : undefined
    return inner === undefined ? [] : tokensBelow(inner, all, nested - 1)
  }
  if (Array.isArray(json)) return json.flatMap((item) => tokensBelow(item, all, nested))
  if (!isObject(json)) return []
  const isSource = all || isLikeCredentials(json)
  return Object.entries(json).flatMap(([field, value]) => {
    if (!isSource || !tokenField.test(field)) return tokensBelow(value, all, nested)
    if (typeof value === "string") return isToken(value) ? [value] : []
    return [...tokensBelow(value, all, nested), ...textsBelow(value)]
  })
}

/** A token in a list or an object where a text should be; no words. */
const textsBelow = (json: unknown): ReadonlyArray<string> =>
  typeof json === "string"
    ? isToken(json) && isTelling(json)
      ? [json]
      : []
    : typeof json === "object" && json !== null
      ? Object.values(json).flatMap(textsBelow)
      : []

function isToken(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxTokenLength
}
