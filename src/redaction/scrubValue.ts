/** Replaces secrets in texts and JSON values, in their strings and field names. */
import { Redacted } from "effect"
import { isTelling, placeholder, type Scrub, type Secrets, scrub, scrubTelling } from "./scrub.ts"

/** Replaces a fixed set of secrets in texts and JSON values. */
export interface Cleaner {
  readonly text: Scrub
  /** For evidence, which nothing goes on using. */
  readonly evidence: Scrub
  /** Returns the same value where it holds no secret. A secret that may be an ordinary word is replaced in fields named `token`. */
  readonly value: <A>(value: A) => A
}

// Cached by the array, whose identity changes only when a secret is added.
const made = new WeakMap<Secrets, Cleaner>()

/** The cleaner for these secrets; cached, so that their encodings are computed once. */
export const cleanerOf = (secrets: Secrets): Cleaner => {
  const known = made.get(secrets)
  if (known !== undefined) return known
  const marks = new Map(
    secrets.map(({ name, value }) => [Redacted.value(value), placeholder(name, Redacted.value(value))])
  )
  const evidence = scrub(secrets)
  const allTelling = secrets.every(({ value }) => isTelling(Redacted.value(value)))
  const text = allTelling ? evidence : scrubTelling(secrets)
  const clean = (value: unknown, field: string): unknown => {
    if (typeof value === "string") return (field === "token" ? marks.get(value) : undefined) ?? text(value)
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) {
      const items = value.map((item) => clean(item, field))
      return items.every((item, at) => item === value[at]) ? value : items
    }
    const before = Object.entries(value)
    const after = before.map(([name, inner]): [string, unknown] => [text(name), clean(inner, name)])
    const isSame = after.every(([name, inner], at) => name === before[at]![0] && inner === before[at]![1])
    return isSame ? value : Object.fromEntries(after)
  }
  // The cast is safe: only strings and field names change.
  const cleaner: Cleaner = { text, evidence, value: <A>(value: A) => clean(value, "") as A }
  made.set(secrets, cleaner)
  return cleaner
}
