/** Escapes text for HTML. Data of partners is untrusted: all text in a page must pass through here. */

import { withoutDirections, writtenOut } from "../directions.ts"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Escapes for text and quoted attributes. Control characters and those that change the direction of text become visible. */
export const escape = (text: string): string =>
  withoutDirections(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, writtenOut)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    .replace(/[&<>"']/g, (found) => entities[found]!)

/** An id for an anchor; other characters than letters, digits, `_`, `.` and `-` become hyphens. */
export const anchor = (kind: string, name: string): string =>
  `${kind}-${name.replace(/[^A-Za-z0-9_.-]+/g, "-")}`
