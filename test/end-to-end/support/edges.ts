/** Values at which readers of requests break: numbers at the edges of their types, texts at their lengths, odd characters. */

export const numbers: ReadonlyArray<string> = [
  "0",
  "-0",
  "-1",
  "1e-7",
  "0.5",
  "1e3",
  "2147483647",
  "2147483648",
  "-2147483649",
  "4294967296",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "999999999999999",
  "9223372036854775807",
  "9223372036854775808",
  "99999999999999999999",
  "1e400",
  "-1e400",
  "NaN",
  "Infinity",
  "0x10",
  "0b1",
  "1_000",
  "１２",
  "٣",
  "+1",
  " 1",
  "1 "
]

/** The numbers as JSON writes them; `1e400` is read as Infinity. */
export const jsonNumbers: ReadonlyArray<string> = numbers.filter((text) =>
  /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/.test(text)
)

/** Lengths round those that the contract and the field have. */
const lengths = [1, 36, 37, 128, 129, 200, 201, 255, 256, 2048, 2049]

export const texts: ReadonlyArray<string> = [
  "",
  " ",
  "\u0000",
  "\u0001\u001f\u007f",
  "\ud800",
  "\udc00\ud800",
  "\ufeff",
  "\ufffe\uffff",
  "\u202e\u2066txt.exe",
  "e\u0301\u0301\u0301",
  "\u{1f600}",
  "\u{10ffff}",
  "İı\u212a",
  "ﷺ".repeat(20),
  "__proto__",
  "constructor",
  "toString",
  ...lengths.map((length) => "x".repeat(length)),
  ...lengths.slice(0, 5).map((length) => "\u{1f600}".repeat(length))
]

/** In a URL; half a surrogate pair goes as the bytes that it would have. */
export function escaped(text: string): string {
  return isWellFormed(text) ? encodeURIComponent(text) : "%ed%a0%80"
}

export function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
}
