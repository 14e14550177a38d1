/**
 * Replaces many strings in one pass over a text; of strings that match at one place the longest wins. A regular expression
 * of thousands of alternatives tries them all at each place that begins like many of them, and a partner can send such a
 * text on purpose. Here each place costs a few look-ups, however many strings there are.
 */

/** Lengths of the prefixes that strings are indexed by; each string uses the longest that it has. */
const heads = [32, 16, 8, 3] as const
const shortestHead = 3

/** `replacements`: string → replacement. Throws RangeError for a string of fewer than three characters. */
export const findForms = (replacements: ReadonlyMap<string, string>): ((text: string) => string) => {
  const byHead = heads.map((length) => ({ length, forms: new Map<string, Array<string>>() }))
  const mayBegin = new Uint8Array(1 << 16)
  for (const form of [...replacements.keys()].sort((a, b) => b.length - a.length)) {
    const row = byHead.find(({ length }) => form.length >= length)
    if (row === undefined) throw new RangeError("A string to be found has at least three characters")
    const head = form.slice(0, row.length)
    row.forms.set(head, [...(row.forms.get(head) ?? []), form])
    mayBegin[slotAt(form, 0)] = 1
  }
  const rows = byHead.filter(({ forms }) => forms.size > 0)

  const longestAt = (text: string, at: number): string | undefined => {
    for (const { forms, length } of rows) {
      const found = forms.get(text.slice(at, at + length))?.find((form) => text.startsWith(form, at))
      if (found !== undefined) return found
    }
    return undefined
  }

  return (text) => {
    let clean = ""
    let from = 0
    let at = 0
    while (at + shortestHead <= text.length) {
      const form = mayBegin[slotAt(text, at)] === 1 ? longestAt(text, at) : undefined
      if (form === undefined) {
        at += 1
        continue
      }
      clean += text.slice(from, at) + replacements.get(form)
      at += form.length
      from = at
    }
    return from === 0 ? text : clean + text.slice(from)
  }
}

function slotAt(text: string, at: number): number {
  return (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 5) ^ (text.charCodeAt(at + 2) << 10)) & 0xffff
}
