/** The encodings in which a secret can occur in a text, and the replacement of each. */

/** The value in an Authorization header, raw or Base64; for values that may also be ordinary words. */
export const tokenForms = (plain: string, mark: string): ReadonlyArray<readonly [string, string]> => [
  [`Token ${plain}`, `Token ${mark}`],
  [`Token ${base64(plain)}`, `Token base64(${mark})`]
]

/** Every encoding of a secret with its replacement; `mark` is the placeholder. */
export const formsOf = (plain: string, mark: string): ReadonlyArray<readonly [string, string]> => {
  const escaped = JSON.stringify(plain).slice(1, -1)
  const encoded = encodeURIComponent(plain)
  const hex = Buffer.from(plain, "utf8").toString("hex")
  const bases = [
    [base64(plain), `base64(${mark})`],
    [base64(`${plain}\n`), `base64(${mark}\\n)`],
    [base64(`${plain}\r\n`), `base64(${mark}\\r\\n)`],
    [base64(`Token ${plain}`), `base64(Token ${mark})`],
    [base64(base64(plain)), `base64(base64(${mark}))`],
    [base64(base64(base64(plain))), `base64(base64(base64(${mark})))`]
  ] as const
  return [
    [plain, mark],
    [escaped, mark],
    [escaped.replaceAll("/", "\\/"), mark],
    // `unescaped` undoes other escapes, but not those of quotes and backslashes, which structure the text.
    ...escapedAnew(plain).map((text): readonly [string, string] => [text, mark]),
    ...[...byteLists(plain), ...byteLists(base64(plain))].map((text): readonly [string, string] => [
      text,
      `bytes(${mark})`
    ]),
    [encoded, mark],
    [lowerCodes(encoded), mark],
    [encoded.replaceAll("%20", "+"), mark],
    [new URLSearchParams({ v: plain }).toString().slice(2), mark],
    ...[hex, Buffer.from(bases[0][0].replace(/=+$/, ""), "utf8").toString("hex")].flatMap(
      (digits): ReadonlyArray<readonly [string, string]> => [
        [digits, `hex(${mark})`],
        [digits.toUpperCase(), `hex(${mark})`]
      ]
    ),
    ...bases.flatMap(([text, shown]): ReadonlyArray<readonly [string, string]> => {
      const unpadded = text.replace(/=+$/, "")
      const safe = unpadded.replaceAll("+", "-").replaceAll("/", "_")
      return [
        [text, shown],
        [unpadded, shown],
        [encodeURIComponent(text), shown],
        [lowerCodes(encodeURIComponent(text)), shown],
        [text.replaceAll("/", "\\/"), shown],
        [safe, shown]
      ]
    }),
    // The header of a request holds the Base64 form, and a dump of the request may be encoded once more.
    ...[...cores(plain), ...cores(base64(plain))].flatMap(
      (core): ReadonlyArray<readonly [string, string]> => [
        [core, mark],
        [core.replaceAll("+", "-").replaceAll("/", "_"), mark]
      ]
    ),
    ...inOtherCases(plain).map((text): readonly [string, string] => [text, mark])
  ]
}

/** A value with quotes or backslashes in JSON within JSON, and in HTML. */
function escapedAnew(plain: string): ReadonlyArray<string> {
  if (!/["\\]/.test(plain)) return []
  const again = (text: string) => JSON.stringify(text).slice(1, -1)
  const twice = again(again(plain))
  const safe = plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  return [twice, again(twice), ...["&quot;", "&#34;", "&#x22;"].map((quote) => safe.replaceAll('"', quote))]
}

/** As Node's Buffer and Java's byte arrays are written. */
function byteLists(plain: string): ReadonlyArray<string> {
  const bytes = [...Buffer.from(plain, "utf8")]
  return [bytes.join(","), bytes.join(", ")]
}

/** Shorter values may be words that are the same but for their case. */
const shortestInOtherCase = 16

/**
 * In small and in capital letters: names of headers come in small letters, and software that reads a GUID writes it in its own way, also
 * without hyphens.
 */
function inOtherCases(plain: string): ReadonlyArray<string> {
  if (plain.length < shortestInOtherCase) return []
  const isGuid = /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(plain)
  const digits = plain.replaceAll("-", "")
  const written = isGuid ? [plain, digits, digits.replace(guidParts, "$1-$2-$3-$4-$5")] : [plain]
  return written.flatMap((text) => [text.toLowerCase(), text.toUpperCase()])
}

const guidParts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/**
 * Strings that occur in the Base64 form of any longer text that contains the secret: one for each of the three alignments.
 * The characters at either edge depend on the neighbouring bytes and are left out.
 */
function cores(plain: string): ReadonlyArray<string> {
  const bytes = Buffer.from(plain, "utf8")
  if (bytes.length < 12) return []
  return [0, 1, 2].map((shift) => {
    const skipped = (3 - shift) % 3
    const whole = bytes.subarray(skipped, skipped + Math.floor((bytes.length - skipped) / 3) * 3)
    return whole.toString("base64")
  })
}

/** `%2F` as `%2f`; both are legal. */
function lowerCodes(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64")
}
