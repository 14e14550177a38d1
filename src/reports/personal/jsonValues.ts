/** Finds strings and numbers in a JSON text, with their fields. Also reads truncated or malformed JSON. */

/** A string or a number in a JSON text. */
interface JsonValue {
  /** Offsets of the literal in the text, quotes included; `end` is exclusive. */
  readonly start: number
  readonly end: number
  readonly value: string
  /** The field that holds the value, or the list that the value is in. */
  readonly field: string | undefined
  /** The field that holds the enclosing object. */
  readonly parent: string | undefined
}

interface Level {
  readonly kind: "object" | "list"
  /** The field that holds this object or list. */
  readonly under: string | undefined
  field: string | undefined
  isKey: boolean
}

const literal = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d[\d.eE+-]*|[{}[\],:]/gs

/** The values in the order of the text. */
export const valuesIn = (text: string): ReadonlyArray<JsonValue> => {
  const found: Array<JsonValue> = []
  const levels: Array<Level> = []
  for (const match of text.matchAll(literal)) {
    const [token] = match
    const level = levels.at(-1)
    const field = level?.field
    if (token === "{" || token === "[") {
      const kind = token === "{" ? "object" : "list"
      levels.push({
        kind,
        under: field,
        field: kind === "list" ? field : undefined,
        isKey: kind === "object"
      })
    } else if (token === "}" || token === "]") levels.pop()
    else if (token === ",") {
      if (level?.kind === "object") level.isKey = true
    } else if (token === ":") {
      if (level !== undefined) level.isKey = false
    } else if (level?.kind === "object" && level.isKey) level.field = textOf(token)
    else {
      const around = levels.findLast(({ kind }) => kind === "object")
      const start = match.index
      found.push({ start, end: start + token.length, value: textOf(token), field, parent: around?.under })
    }
  }
  return found
}

/** The end of a truncated string literal without trailing backslashes, the last of which may begin an escape. */
function endOfText(token: string): number {
  let end = token.length
  while (token[end - 1] === "\\") end -= 1
  return end
}

function textOf(token: string): string {
  if (!token.startsWith('"')) return token
  const closed = token.length > 1 && token.endsWith('"') ? token : `${token.slice(0, endOfText(token))}"`
  try {
    return String(JSON.parse(closed))
  } catch {
    return closed.slice(1, -1)
  }
}
