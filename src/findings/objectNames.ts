/** The object at a place in a body, named by the ids that it and the objects around it have. Pure. */
import { isObject, textIn } from "./json.ts"

/** Fields that name an object, the most telling first. */
const idFields = ["id", "uid", "identifier"] as const
/** Longest id that is quoted, in UTF-16 units. */
const longest = 60

/** Lists of an object whose entries have ids of their own, with the noun of an entry. */
const nouns: Readonly<Record<string, string>> = { evses: "EVSE", connectors: "connector" }

/** `LOC1, EVSE 3256, connector 1`; undefined when no object on the way to the place has an id. */
export const objectNameAt = (json: unknown, pointer: string): string | undefined => {
  const root = isObject(json) ? idIn(json) : undefined
  const named = root === undefined ? [] : [root]
  let value = json
  let list = ""
  for (const step of pointer.split("/").slice(1)) {
    value = within(value, step.replaceAll("~1", "/").replaceAll("~0", "~"))
    if (Array.isArray(value)) list = step
    if (!isObject(value)) continue
    const id = idIn(value)
    const noun = nouns[list]
    if (id !== undefined && (named.length === 0 || noun !== undefined))
      named.push(noun === undefined ? id : `${noun} ${id}`)
  }
  return named.length === 0 ? undefined : named.join(", ")
}

/** The id of an object, as it was written. */
export const idInWords = (json: unknown): string =>
  (isObject(json) ? idIn(json) : undefined) ?? "an object without an id"

function idIn(object: Readonly<Record<string, unknown>>): string | undefined {
  const [id] = idFields.flatMap((field) => textIn(object[field]) ?? [])
  return id === undefined || id.length <= longest ? id : `${id.slice(0, longest)}…`
}

function within(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}
