/** Undoes needless escapes, because a text can be escaped in more ways than any list of forms could hold. */

const percent = 0x25
const backslash = 0x5c
const quote = 0x22

/**
 * Decodes `\u00xx` and `%xx` of printable ASCII characters, except quotes, backslashes and percent signs. A loop instead of a
 * regular expression, because a partner may send a million escapes.
 */
export const unescaped = (text: string): string => {
  if (!text.includes("\\u00") && !text.includes("%")) return text
  const codes = new Uint16Array(text.length)
  let length = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const width = code === percent ? 3 : code === backslash && text.startsWith("u00", at + 1) ? 6 : 0
    const plain = width === 0 ? undefined : plainCode(text, at + width - 2)
    codes[length] = plain ?? code
    length += 1
    at += plain === undefined ? 1 : width
  }
  return Buffer.from(codes.buffer, 0, length * 2).toString("utf16le")
}

/** The character code of the two hexadecimal digits at `at`; undefined where it must stay escaped. */
function plainCode(text: string, at: number): number | undefined {
  const code = digit(text.charCodeAt(at)) * 16 + digit(text.charCodeAt(at + 1))
  const isPlain = code >= 0x20 && code < 0x7f && code !== percent && code !== backslash && code !== quote
  return isPlain ? code : undefined
}

function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN
}
