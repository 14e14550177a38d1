/** Making findings about an exchange. */
import type { Exchange } from "../../schema/Exchange.ts"
import { type AnsweredExchange, codeOf, named, statusLine } from "./answers.ts"
import type { Finding } from "./Flaw.ts"
import { shown } from "./words.ts"

interface Seen {
  readonly exchange: Exchange
}
type More = Pick<Finding, "pointer" | "hint" | "strength">

/** What was expected at a place, and the value that is there. */
export interface Compared extends Pick<Finding, "hint" | "strength"> {
  readonly expected: string
  readonly actual: unknown
}

/** A finding that the exchange shows, where there is one. */
export const finding = (
  seen: Seen | undefined,
  message: string,
  values: More & { readonly expected: string; readonly actual: string }
): Finding => ({ message, ...values, ...(seen === undefined ? {} : { exchangeId: seen.exchange.id }) })

/** A finding about a place in the body of an exchange; `pointer` is a JSON Pointer. */
export const at = (
  { exchange }: Seen,
  pointer: string,
  message: string,
  { actual, ...values }: Compared
): Finding => ({
  message: `${message} (${pointer})`,
  pointer,
  ...values,
  actual: shown(actual),
  exchangeId: exchange.id
})

/** The answer is another one than was expected. */
export const unexpected = (seen: AnsweredExchange, expected: string, more: More = {}): Finding => {
  const actual = `${statusLine(seen)}${lackOf(seen, expected)}`
  return finding(seen, `${named(seen)} was answered ${actual}`, { expected, actual, ...more })
}

/** What an answer lacks that has the HTTP status of success, where a status_code is expected: the status alone would say nothing. */
function lackOf(seen: AnsweredExchange, expected: string): string {
  const { body, httpStatus } = seen.response
  const isSaid = codeOf(seen) !== undefined || !expected.includes("status_code")
  if (isSaid || httpStatus < 200 || httpStatus >= 300) return ""
  return (body ?? "").trim() === "" ? " with an empty body" : " without a status_code"
}

/** No finding when all is well; otherwise this one. */
export const unless = (ok: boolean, found: () => Finding): ReadonlyArray<Finding> => (ok ? [] : [found()])

/** This finding when something is wrong; otherwise none. */
export const when = (wrong: boolean, found: () => Finding): ReadonlyArray<Finding> => (wrong ? [found()] : [])

/** A finding about a value, where there is one. */
export const given = <A>(value: A | undefined, found: (value: A) => Finding): ReadonlyArray<Finding> =>
  value === undefined ? [] : [found(value)]

/** The items whose key occurred before. */
export const repeated = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string): ReadonlyArray<A> => {
  const met = new Set<string>()
  return items.filter((item) => {
    const key = keyOf(item)
    const again = met.has(key)
    met.add(key)
    return again
  })
}
