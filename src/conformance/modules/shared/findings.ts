/** Findings that many checks make: about status, envelope, and a refused or accepted token. */
import { dataOf, envelope, named, shown, statusLine, succeeded, successCode } from "../../model/answers.ts"
import type { Finding } from "../../model/Check.ts"
import type { Answered, Observation } from "../../model/Evidence.ts"

/** HTTP 200 and status_code 1000, or what came instead. */
export const notSuccess = (seen: Answered): ReadonlyArray<Finding> =>
  seen.response.httpStatus === 200 && succeeded(seen)
    ? []
    : [
        {
          message: `${named(seen)} answered ${statusLine(seen)}`,
          expected: `HTTP 200, status_code ${successCode}`,
          actual: statusLine(seen),
          ...(envelope(seen) === undefined || seen.response.httpStatus !== 200
            ? {}
            : { pointer: "/status_code" }),
          exchangeId: seen.exchange.id
        }
      ]

/** HTTP 401 for a request without a valid token, or what came instead. */
export const notRefused = (seen: Answered): ReadonlyArray<Finding> =>
  seen.response.httpStatus === 401
    ? []
    : [
        {
          message: `${named(seen)} without a valid token answered ${statusLine(seen)}`,
          expected: "HTTP 401",
          actual: statusLine(seen),
          exchangeId: seen.exchange.id,
          hint: succeeded(seen)
            ? "The endpoint is open to anyone: check the token before anything else."
            : "Answer HTTP 401 whenever the token is missing or unknown, before looking at the rest."
        }
      ]

/** `data` of the answer is not of that kind. */
export const wrongData = (
  seen: Answered,
  expected: "an array" | "a non-empty array" | "an object"
): ReadonlyArray<Finding> => {
  const data = dataOf(seen)
  const right =
    expected === "an object"
      ? typeof data === "object" && data !== null && !Array.isArray(data)
      : Array.isArray(data) && (expected === "an array" || data.length > 0)
  return right
    ? []
    : [
        {
          message: `${named(seen)}: data is not ${expected}`,
          expected,
          actual: shown(data),
          pointer: "/data",
          exchangeId: seen.exchange.id
        }
      ]
}

/** A finding about a place in the body of an exchange. */
export const at = (
  seen: Observation,
  pointer: string,
  message: string,
  values: { readonly expected: string; readonly actual: unknown; readonly strength?: Finding["strength"] }
): Finding => ({
  message: `${message} (${pointer})`,
  pointer,
  expected: values.expected,
  actual: shown(values.actual),
  exchangeId: seen.exchange.id,
  ...(values.strength === undefined ? {} : { strength: values.strength })
})

/** The value that occurs again, with each place where it does. */
export const repeated = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string): ReadonlyArray<A> => {
  const met = new Set<string>()
  return items.filter((item) => {
    const key = keyOf(item)
    const again = met.has(key)
    met.add(key)
    return again
  })
}
