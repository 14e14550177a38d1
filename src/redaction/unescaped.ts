/** Escapes that nothing asks for, undone: a text may be written in so many ways that no list of its forms is complete. */

const percent = 0x25
const backslash = 0x5c
const quote = 0x22

/**
 * The text with `\u00xx` and `%xx` as the printable ASCII character that each stands for, but for those that end a text or
 * begin an escape. Code by code and not by a regular expression: a partner may send a million of them.
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

/** The character code that the two hexadecimal digits there name. */
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
