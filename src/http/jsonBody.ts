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
  const wrong = objectionTo(value)
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

function isStorable(text: string): boolean {
  return (
    !text.includes("\0") &&
    !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
  )
}
