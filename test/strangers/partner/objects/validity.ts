/** What is wrong with an object that a partner has sent. */

import type { StrangerVersion } from "../Freedoms.ts"
import { type Field, fieldsOf } from "./classes.ts"
import { wordsOf } from "./words.ts"

export type Json = Record<string, unknown>

/** Is it a JSON object? */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The first flaw of an object of a class, undefined when it has none. `partial`: required fields may be absent (PATCH). */
export const flawOf = (
  name: string,
  value: unknown,
  version: StrangerVersion,
  partial = false,
  path = ""
): string | undefined => {
  if (!isJson(value)) return `${path || "the body"} is no object`
  for (const field of fieldsOf(name, version) ?? []) {
    const flaw = fieldFlaw(field, value[field.name], version, partial, `${path}/${field.name}`)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

const fieldFlaw = (
  { cardinality, kind }: Field,
  value: unknown,
  version: StrangerVersion,
  partial: boolean,
  path: string
): string | undefined => {
  if (value === undefined && partial) return undefined
  if (value === undefined || value === null)
    return cardinality === "1" || cardinality === "+" ? `${path} is missing` : undefined
  if (cardinality === "1" || cardinality === "?") return kindFlaw(kind, value, version, path)
  if (!Array.isArray(value)) return `${path} is no list`
  if (cardinality === "+" && value.length === 0) return `${path} is empty`
  for (const [index, one] of value.entries()) {
    const flaw = kindFlaw(kind, one, version, `${path}/${index}`)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/

const kindFlaw = (
  kind: string,
  value: unknown,
  version: StrangerVersion,
  path: string
): string | undefined => {
  const text = (holds: (words: string) => boolean) =>
    typeof value === "string" && holds(value) ? undefined : `${path} is no ${kind}`
  if (kind === "num") return typeof value === "number" ? undefined : `${path} is no number`
  if (kind === "int") return Number.isInteger(value) ? undefined : `${path} is no integer`
  if (kind === "bool") return typeof value === "boolean" ? undefined : `${path} is no boolean`
  if (kind === "dt")
    return text((words) => dateTime.test(words) && !Number.isNaN(Date.parse(`${words.replace(/Z$/, "")}Z`)))
  if (kind === "url") return text((words) => words.length <= 255 && URL.canParse(words))
  if (kind === "latitude") return text((words) => /^-?\d{1,2}\.\d{5,7}$/.test(words))
  if (kind === "longitude") return text((words) => /^-?\d{1,3}\.\d{5,7}$/.test(words))
  if (kind.startsWith("enum:")) {
    const words = wordsOf(kind.slice("enum:".length), version)
    return text((word) => word !== "" && (words === undefined || words.includes(word)))
  }
  const length = /^(?:s|ci)(\d+)$/.exec(kind)?.[1]
  if (length !== undefined) return text((words) => words.length <= Number(length))
  return flawOf(kind, value, version, false, path)
}
