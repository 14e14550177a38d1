/** JSON that may come in: text to value, with the limits that keep it harmless. Pure. */

/** Deepest nesting of objects and lists. */
export const maxDepth = 64

/** The value, or what is wrong with the text. An empty text is an empty object: a body may be left out. */
export const parseJson = (text: string): { readonly value: unknown } | { readonly wrong: string } => {
  if (text.trim() === "") return { value: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The engine's own words quote the body, and with it perhaps a token.
    return { wrong: "The body is not valid JSON" }
  }
  const wrong = objectionTo(value) ?? duplicateIn(text)
  return wrong === undefined ? { value } : { wrong }
}

/** Without recursion: the depth is what is being checked. */
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
 * The engine keeps the last of two fields of one name and says nothing; another reader may keep the first, and then what
 * somebody else has checked is not what we do. `text` is valid JSON, so its tokens are all that there is to look at.
 */
function duplicateIn(text: string): string | undefined {
  const open: Array<Set<string>> = []
  for (const [token, name] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{}]/g)) {
    if (token === "{" || token === "[") open.push(new Set())
    else if (token === "}" || token === "]") open.pop()
    else if (name !== undefined) {
      // Two spellings of one name are one name.
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
