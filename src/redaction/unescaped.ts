/** Undoes needless escapes, because a text can be escaped in more ways than any list of forms could hold. */

const percent = 0x25
const ampersand = 0x26
const slash = 0x2f
const backslash = 0x5c
const quote = 0x22

/** What an escape begins with; a slash after a single backslash is a form of its own. */
const mayBeEscaped = /%|\\[ux]|\\\\\/|&(?:#|amp;|lt;|gt;)/

/** An escape: how many characters it takes, and the code of what it stands for. */
interface Escape {
  readonly width: number
  readonly code: number
}

/**
 * Decodes `\u00xx`, `\xxx`, `%xx` and `&#xx;` of printable ASCII characters, except quotes, backslashes and percent signs, however
 * often they were escaped anew: `%252F`, `\\\\u002f`, `&amp;#x2F;`. Without regular expressions, because a partner may send a million
 * escapes.
 */
export const unescaped = (text: string): string => {
  if (!mayBeEscaped.test(text)) return text
  const codes = new Uint16Array(text.length)
  let length = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === backslash) {
      const end = afterBackslashes(text, at)
      const escape = afterRun(text, at, end)
      if (escape === undefined) while (at < end) codes[length++] = text.charCodeAt(at++)
      else {
        codes[length++] = escape.code
        at += escape.width
      }
      continue
    }
    const escape = code === percent ? inUrl(text, at) : code === ampersand ? inHtml(text, at) : undefined
    codes[length++] = escape?.code ?? code
    at += escape?.width ?? 1
  }
  return Buffer.from(codes.buffer, 0, length * 2).toString("utf16le")
}

function afterBackslashes(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === backslash) end++
  return end
}

/** The escape of which the backslashes from `at` to `end` are the beginning. */
function afterRun(text: string, at: number, end: number): Escape | undefined {
  if (text.startsWith("u00", end)) return plain(hexAt(text, end + 3), end + 5 - at)
  if (text.startsWith("x", end)) return plain(hexAt(text, end + 1), end + 3 - at)
  return end - at > 1 && text.charCodeAt(end) === slash ? { width: end + 1 - at, code: slash } : undefined
}

function inUrl(text: string, at: number): Escape | undefined {
  let from = at + 1
  while (text.startsWith("25", from) && !Number.isNaN(hexAt(text, from + 2))) from += 2
  return plain(hexAt(text, from), from + 2 - at)
}

/** Characters that HTML escapes by a name; not the quotes. */
const named = [
  ["amp;", "&"],
  ["lt;", "<"],
  ["gt;", ">"]
] as const

function inHtml(text: string, at: number): Escape | undefined {
  let from = at + 1
  while (text.startsWith("amp;", from) && /^(?:#|amp;|lt;|gt;)/.test(text.slice(from + 4, from + 8)))
    from += 4
  if (text.charAt(from) !== "#") {
    const found = named.find(([name]) => text.startsWith(name, from))
    return found && { width: from + found[0].length - at, code: found[1].charCodeAt(0) }
  }
  const [whole, hex, decimal] =
    /^#(?:x0{0,4}([0-9a-f]{2})|0{0,4}(\d{2,3}));/i.exec(text.slice(from, from + 12)) ?? []
  if (whole === undefined) return undefined
  return plain(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), from + whole.length - at)
}

/** Undefined where the character must stay escaped. */
function plain(code: number, width: number): Escape | undefined {
  const isPlain = code >= 0x20 && code < 0x7f && code !== percent && code !== backslash && code !== quote
  return isPlain ? { width, code } : undefined
}

/** The number of two hexadecimal digits; NaN where there are none. */
function hexAt(text: string, at: number): number {
  return digit(text.charCodeAt(at)) * 16 + digit(text.charCodeAt(at + 1))
}

function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN
}
