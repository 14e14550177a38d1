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

type Fields = Readonly<Record<string, unknown>>

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
    return Array.isArray(value) ? cleanList(value, field) : cleanObject(value as Fields)
  }
  // Nothing is copied before something has changed: hardly any value holds a secret.
  const cleanList = (list: ReadonlyArray<unknown>, field: string): ReadonlyArray<unknown> => {
    let changed: Array<unknown> | undefined
    for (let at = 0; at < list.length; at++) {
      const item = clean(list[at], field)
      if (item === list[at]) continue
      changed ??= [...list]
      changed[at] = item
    }
    return changed ?? list
  }
  const cleanObject = (object: Fields): Fields => {
    const names = Object.keys(object)
    let changed: Array<[string, unknown]> | undefined
    for (let at = 0; at < names.length; at++) {
      const before = names[at]!
      const name = text(before)
      const inner = clean(object[before], before)
      if (changed === undefined && name === before && inner === object[before]) continue
      changed ??= names.slice(0, at).map((same) => [same, object[same]])
      changed.push([name, inner])
    }
    return changed === undefined ? object : Object.fromEntries(changed)
  }
  // The cast is safe: only strings and field names change.
  const cleaner: Cleaner = { text, evidence, value: <A>(value: A) => clean(value, "") as A }
  made.set(secrets, cleaner)
  return cleaner
}
