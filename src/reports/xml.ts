/** Writes XML 1.0 elements and escapes their text. */

import { withoutDirections } from "./directions.ts"

/** Characters that XML 1.0 does not allow even escaped; they become U+FFFD. */
const illegal =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  // Unescaped, a parser would turn them into spaces in an attribute.
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;"
}

/** Attributes of an element, unescaped. */
export type Attributes = Readonly<Record<string, string | number>>

/** An element; `children` are XML text. Without children it is self-closing. */
export const element = (
  name: string,
  attributes: Attributes,
  children: ReadonlyArray<string> = []
): string => {
  const named = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`)
    .join("")
  return children.length === 0 ? `<${name}${named}/>` : `<${name}${named}>${children.join("")}</${name}>`
}

/** Escapes character data. */
export const escapeText = (text: string): string =>
  withoutDirections(text)
    .replace(illegal, "\ufffd")
    .replace(/[&<>\r]/g, (found) => entities[found]!)

function escapeAttribute(text: string): string {
  return withoutDirections(text)
    .replace(illegal, "\ufffd")
    .replace(/[&<>"'\n\r\t]/g, (found) => entities[found]!)
}
