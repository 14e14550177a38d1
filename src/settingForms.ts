/** Parsers for the text of a setting. */
import ipaddr from "ipaddr.js"

/** A parser and the phrase that completes "expected …" in its error. */
export interface Form<A> {
  readonly expected: string
  /** Undefined: the text is not of this form. */
  readonly read: (text: string) => A | undefined
}

/** A decimal number within the bounds, both included. */
export const number = (low: number, high: number): Form<number> => ({
  expected: `a number from ${low} to ${high}`,
  read: (text) => inRange(text, low, high)
})

/** A whole number of digits only, within the bounds, both included. */
export const integer = (low: number, high: number): Form<number> => ({
  expected: `a whole number from ${low} to ${high}`,
  read: (text) => (/^\d+$/.test(text) ? inRange(text, low, high) : undefined)
})

/** Exactly one of the words; at least two are given. */
export const choice = <A extends string>(...values: ReadonlyArray<A>): Form<A> => ({
  expected: `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`,
  read: (text) => values.find((value) => value === text)
})

const logLevels = choice("debug", "info", "warn", "error", "none")
/** A level by the name that log lines have; `warning` was the name of `warn` before. */
export const logLevel: typeof logLevels = {
  ...logLevels,
  read: (text) => (text === "warning" ? "warn" : logLevels.read(text))
}

/** `on`, `true` or `1`; `off`, `false` or `0`. */
export const onOff: Form<boolean> = {
  expected: "on or off",
  read: (text) => ({ on: true, true: true, "1": true, off: false, false: false, "0": false })[text]
}

/** An absolute URL with one of the schemes, each with its colon, e.g. `postgres:`. */
export const url = (...schemes: ReadonlyArray<string>): Form<string> => ({
  expected: `a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`,
  read: (text) => (URL.canParse(text) && schemes.includes(new URL(text).protocol) ? text : undefined)
})

/** An http or https URL to which paths are added, and which may be shown to anybody. */
export const webRoot: Form<string> = {
  expected: "a URL that starts with http:// or https://, without user name, password, query and fragment",
  read: (text) => {
    if (url("http:", "https:").read(text) === undefined) return undefined
    const { password, username } = new URL(text)
    return username === "" && password === "" && !/[?#]/.test(text) ? text : undefined
  }
}

/** The text without the user name and password of a URL, which may stand in any setting. */
export const withoutUser = (text: string): string => {
  const begin = text.indexOf("//")
  const end = text.lastIndexOf("@")
  return begin < 0 || end < begin ? text : `${text.slice(0, begin)}//***${text.slice(end)}`
}

/** A text that matches the pattern. */
export const matching = (pattern: RegExp, expected: string): Form<string> => ({
  expected,
  read: (text) => (pattern.test(text) ? text : undefined)
})

/** A list separated by commas; every item, without spaces around it, passes the test. */
export const listOf = (item: Pick<RegExp, "test">, expected: string): Form<ReadonlyArray<string>> => ({
  expected,
  read: (text) => {
    const parts = text.split(",").map((part) => part.trim())
    return parts.every((part) => item.test(part)) ? parts : undefined
  }
})

/** An address range in CIDR notation, except /0, which would switch the egress guard off. */
export const someRange = {
  test: (text: string) =>
    !/\/0+$/.test(text) && (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text))
}

function inRange(text: string, low: number, high: number): number | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  return value >= low && value <= high ? value : undefined
}
