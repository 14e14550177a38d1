/** Parses JSON request bodies, with limits on nesting, field names and characters. Pure. */

/** Deepest nesting of objects and lists. */
const maxDepth = 64

/** The value, or what is wrong with the text. An empty text is an empty object, because some bodies may be left out. */
export const readJsonBody = (text: string): { readonly value: unknown } | { readonly wrong: string } => {
  if (text.trim() === "") return { value: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { wrong: `The body is not valid JSON${placeIn(text, String(error))}` }
  }
  const wrong = objectionTo(value) ?? duplicateIn(text)
  return wrong === undefined ? { value } : { wrong }
}

/** Where the text stops being JSON, if the engine says it. Nothing else of its message is shown: it quotes the body. */
function placeIn(text: string, said: string): string {
  if (said.endsWith("Unexpected end of JSON input")) return ": it ends too early"
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(said)?.[1]
  if (position === undefined) return ""
  const lines = text.slice(0, Number(position)).split("\n")
  return `: line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}

/** Checks strings, field names and depth; without recursion, because the depth is not known to be safe. */
function objectionTo(root: unknown): string | undefined {
  const open: Array<readonly [value: unknown, depth: number]> = [[root, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next
    if (typeof value === "string") {
      if (!isStorable(value)) return "The body has a string with a NUL character or half a surrogate pair"
    } else if (typeof value === "object" && value !== null) {
      if (depth >= maxDepth) return `The body is nested deeper than ${maxDepth} levels`
      for (const key of Object.keys(value)) {
        if (key === "__proto__") return "The body has a field named __proto__, which is not accepted"
        if (!isStorable(key)) return "The body has a field name with a NUL character or half a surrogate pair"
        open.push([(value as Record<string, unknown>)[key], depth + 1])
      }
    }
  }
  return undefined
}

/**
 * Finds a field that occurs twice in one object. JSON.parse keeps the last one; another parser, such as that of a proxy that
 * checks requests, may keep the first. `text` is valid JSON, so looking at its tokens is enough.
 */
function duplicateIn(text: string): string | undefined {
  const open: Array<Set<string>> = []
  for (const [token, name] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{}]/g)) {
    if (token === "{" || token === "[") open.push(new Set())
    else if (token === "}" || token === "]") open.pop()
    else if (name !== undefined) {
      // Parse the name: two escaped spellings can be the same name.
      const field: string = JSON.parse(token.slice(0, -name.length))
      if (open.at(-1)?.has(field)) return `The body has the field ${shown(field)} twice in one object`
      open.at(-1)?.add(field)
    }
  }
  return undefined
}

const shown = (field: string) => JSON.stringify(field.length > 40 ? `${field.slice(0, 39)}…` : field)

function isStorable(text: string): boolean {
  return (
    !text.includes("\0") &&
    !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
  )
}
