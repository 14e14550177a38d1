/** The forms that the text of a setting may have. */
import ipaddr from "ipaddr.js"

/** A way to read a value from text, and how to say what is expected. */
export interface Form<A> {
  readonly expected: string
  /** undefined = not of this form */
  readonly read: (text: string) => A | undefined
}

export const number = (low: number, high: number): Form<number> => ({
  expected: `a number from ${low} to ${high}`,
  read: (text) => inRange(text, low, high)
})

export const integer = (low: number, high: number): Form<number> => ({
  expected: `a whole number from ${low} to ${high}`,
  read: (text) => (/^\d+$/.test(text) ? inRange(text, low, high) : undefined)
})

export const choice = <A extends string>(...values: ReadonlyArray<A>): Form<A> => ({
  expected: `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`,
  read: (text) => values.find((value) => value === text)
})

export const onOff: Form<boolean> = {
  expected: "on or off",
  read: (text) => ({ on: true, true: true, "1": true, off: false, false: false, "0": false })[text]
}

export const url = (...schemes: ReadonlyArray<string>): Form<string> => ({
  expected: `a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`,
  read: (text) => (URL.canParse(text) && schemes.includes(new URL(text).protocol) ? text : undefined)
})

export const matching = (pattern: RegExp, expected: string): Form<string> => ({
  expected,
  read: (text) => (pattern.test(text) ? text : undefined)
})

export const listOf = (item: Pick<RegExp, "test">, expected: string): Form<ReadonlyArray<string>> => ({
  expected,
  read: (text) => {
    const parts = text.split(",").map((part) => part.trim())
    return parts.every((part) => item.test(part)) ? parts : undefined
  }
})

/** An address range that says something: /0 would be the egress guard switched off. */
export const someRange = {
  test: (text: string) =>
    !/\/0+$/.test(text) && (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text))
}

function inRange(text: string, low: number, high: number): number | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  return value >= low && value <= high ? value : undefined
}
