/**
 * Replaces many strings in one pass over a text; of strings that match at one place the longest wins. A regular expression
 * of thousands of alternatives tries them all at each place that begins like many of them, and a partner can send such a
 * text on purpose. Here each place costs a few look-ups, however many strings there are, and most places are not looked at
 * (Wu and Manber, "A fast algorithm for multi-pattern searching", 1994).
 */

/** Lengths of the prefixes that strings are indexed by; each string uses the longest that it has. */
const heads = [32, 16, 8, 3] as const

/** As many characters decide how far the search may go on. */
const block = 3

/** Replaces in a text; `shortestForm`: in a text with fewer characters there is nothing to replace. */
interface FindForms {
  readonly replaced: (text: string) => string
  readonly shortestForm: number
}

/** `replacements`: string → replacement, at least one. Throws RangeError for a string of fewer than three characters. */
export const findForms = (replacements: ReadonlyMap<string, string>): FindForms => {
  const byHead = heads.map((length) => ({ length, forms: new Map<string, Array<string>>() }))
  for (const form of [...replacements.keys()].sort((a, b) => b.length - a.length)) {
    const row = byHead.find(({ length }) => form.length >= length)
    if (row === undefined) throw new RangeError("A string to be found has at least three characters")
    const head = form.slice(0, row.length)
    row.forms.set(head, [...(row.forms.get(head) ?? []), form])
  }
  const rows = byHead.filter(({ forms }) => forms.size > 0)
  const shortestForm = [...replacements.keys()].reduce(
    (least, { length }) => Math.min(least, length),
    maxWindow
  )
  const last = shortestForm - block
  const held = heldBlocks([...replacements.keys()], last)
  const mask = held.length - 1

  const longestAt = (text: string, at: number): string | undefined => {
    for (const { forms, length } of rows) {
      const found = forms.get(text.slice(at, at + length))?.find((form) => text.startsWith(form, at))
      if (found !== undefined) return found
    }
    return undefined
  }

  const replaced = (text: string): string => {
    let clean = ""
    let from = 0
    let at = 0
    while (at + shortestForm <= text.length) {
      const step = last + 1 - held[slotAt(text, at + last, mask)]!
      if (step > 0) {
        at += step
        continue
      }
      const form = longestAt(text, at)
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
  return { replaced, shortestForm }
}

/** Longest beginning of the strings that the table is made of: it counts characters in bytes. */
const maxWindow = 250

/** So many slots for each block: few blocks that are in no string share a slot with one that is. */
const slotsABlock = 8
const fewestSlots = 1 << 10
const mostSlots = 1 << 16

/**
 * By block of characters: one more than the last place where one of the strings has it, among their first `last + block`
 * characters; 0 where none has it. As many slots as the strings need, a power of two.
 */
function heldBlocks(forms: ReadonlyArray<string>, last: number): Uint8Array {
  const wanted = forms.length * (last + 1) * slotsABlock
  let slots = fewestSlots
  while (slots < wanted && slots < mostSlots) slots *= 2
  const held = new Uint8Array(slots)
  for (const form of forms) {
    for (let at = 0; at <= last; at++) {
      const slot = slotAt(form, at, slots - 1)
      if (held[slot]! <= at) held[slot] = at + 1
    }
  }
  return held
}

function slotAt(text: string, at: number, mask: number): number {
  const mixed = text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 5) ^ (text.charCodeAt(at + 2) << 10)
  return (mixed ^ (mixed >>> 11)) & mask
}
