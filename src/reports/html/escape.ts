/** Text in HTML. Partner data is hostile: nothing gets into a page but through here. */

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Safe as text and in a quoted attribute. Control characters and those that turn the direction of text become visible. */
export const escape = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, visible)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    .replace(/[&<>"']/g, (found) => entities[found]!)

function visible(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
}

/** An id for an anchor, made of letters, digits and hyphens. */
export const anchor = (kind: string, name: string): string =>
  `${kind}-${name.replace(/[^A-Za-z0-9_.-]+/g, "-")}`
