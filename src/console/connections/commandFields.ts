/** The fields of a command as a form has them, by the JSON Schema of its draft. */

type Json = Readonly<Record<string, unknown>>

/** One input of the form. */
export interface Field {
  /** Names from the outside in; a dotted one is the key of its value. */
  readonly path: ReadonlyArray<string>
  readonly key: string
  readonly kind: "text" | "number" | "choice" | "json"
  /** The words of a choice. */
  readonly words: ReadonlyArray<string>
  readonly description: string | undefined
  readonly isRequired: boolean
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The fields of an object, those of objects in it among them. */
export function fieldsOf(
  schema: Json,
  path: ReadonlyArray<string> = [],
  isNeeded = true
): ReadonlyArray<Field> {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : [])
  return Object.entries(properties).flatMap(([name, property]): ReadonlyArray<Field> => {
    const place = [...path, name]
    const isRequired = isNeeded && required.has(name)
    if (!isObject(property)) return []
    if (property["type"] === "object") return fieldsOf(property, place, isRequired)
    const words = Array.isArray(property["enum"]) ? property["enum"].map(String) : []
    const { description, type } = property
    return [
      {
        path: place,
        key: place.join("."),
        kind:
          words.length > 0
            ? "choice"
            : type === "boolean"
              ? "choice"
              : type === "number"
                ? "number"
                : type === "string"
                  ? "text"
                  : "json",
        words: type === "boolean" ? ["true", "false"] : words,
        description: typeof description === "string" ? description : undefined,
        isRequired
      }
    ]
  })
}

/** What the payload has at the place, as the input shows it; empty where it has nothing. */
export function textAt(payload: Json, path: ReadonlyArray<string>): string {
  const value = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), payload)
  if (value === undefined || value === null) return ""
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** The draft with what was typed; an optional field that was emptied is null. Throws where a value is not what its field takes. */
export function filledIn(
  draft: Json,
  fields: ReadonlyArray<Field>,
  typed: Readonly<Record<string, string>>
): Json {
  const filled: Record<string, unknown> = structuredClone(draft)
  for (const field of fields) {
    const text = typed[field.key]
    if (text === undefined || text === textAt(draft, field.path)) continue
    put(filled, field.path, text === "" && !field.isRequired ? null : valueOf(field, text, draft))
  }
  return filled
}

function valueOf({ key, kind, path, words }: Field, text: string, draft: Json): unknown {
  const before = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), draft)
  const isText = kind === "text" || (kind === "choice" && !words.includes("true"))
  if (isText && typeof before !== "number") return text
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${key}: expected ${kind === "number" ? "a number" : "JSON"}, actual ${text}`)
  }
}

function put(into: Record<string, unknown>, [name, ...rest]: ReadonlyArray<string>, value: unknown): void {
  if (name === undefined) return
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const inner: Record<string, unknown> = isObject(into[name]) ? { ...into[name] } : {}
  into[name] = inner
  put(inner, rest, value)
}
