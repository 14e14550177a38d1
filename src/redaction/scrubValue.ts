/** Secrets taken out of what is kept about a partner: texts, and values of JSON with all their texts and names of fields. */
import { Redacted } from "effect"
import { placeholder, type Scrub, type Secrets, scrubTelling } from "./scrub.ts"

export interface Cleaner {
  readonly text: Scrub
  /** The same value where it holds no secret. Of values that are ordinary words only a field `token` is one. */
  readonly value: <A>(value: A) => A
}

// By the array, which stays the same until a secret is added: the forms are made once.
const made = new WeakMap<Secrets, Cleaner>()

export const cleanerOf = (secrets: Secrets): Cleaner => {
  const known = made.get(secrets)
  if (known !== undefined) return known
  const marks = new Map(
    secrets.map(({ name, value }) => [Redacted.value(value), placeholder(name, Redacted.value(value))])
  )
  const text = scrubTelling(secrets)
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
  // What comes out has the shape of what went in, with other texts.
  const cleaner: Cleaner = { text, value: <A>(value: A) => clean(value, "") as A }
  made.set(secrets, cleaner)
  return cleaner
}
