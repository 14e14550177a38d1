/** Questions about the OCPI envelope of an answer. */
import type { Exchange } from "../../schema/Exchange.ts"
import { envelopeWith, ocpiStatusName } from "../../schema/ocpi/envelope.ts"
import type { VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import { bodyMatches, jsonOf } from "./body.ts"
import type { ExchangeRule } from "./Flaw.ts"
import { ofAnswer } from "./http.ts"
import { actualOf } from "./words.ts"

/** One of these OCPI status codes. */
export const ocpiStatus = (...codes: readonly [number, ...ReadonlyArray<number>]): ExchangeRule =>
  statusCode((code) => codes.includes(code), `status_code ${codes.map(named).join(" or ")}`)

/** A status code from `first` to `last`, both included: `ocpiStatusWithin(2000, 2999)`. */
export const ocpiStatusWithin = (first: number, last: number): ExchangeRule =>
  statusCode((code) => code >= first && code <= last, `a status_code from ${first} to ${last}`)

/** An envelope whose status_code is a whole number of four digits and whose timestamp is a DateTime of the version. */
export const isEnveloped = (profile: Pick<VersionProfile, "dateTime">): ExchangeRule =>
  bodyMatches(envelopeWith(profile.dateTime))

function statusCode(fits: (code: number) => boolean, expected: string): ExchangeRule {
  return ofAnswer((response, exchange) => {
    const code = response.ocpiStatusCode ?? writtenCode(exchange)
    if (typeof code === "number" && fits(code)) return undefined
    return code === undefined
      ? { message: `the answer has no OCPI status_code; expected ${expected}`, expected, actual: "nothing" }
      : {
          message: `answered with status_code ${typeof code === "number" ? named(code) : actualOf(code)}; expected ${expected}`,
          pointer: "/status_code",
          expected,
          actual: actualOf(code)
        }
  })
}

/** What stands where the code should be, whatever its type. */
function writtenCode(exchange: Exchange): unknown {
  const json = jsonOf(exchange)
  return typeof json === "object" && json !== null && "status_code" in json ? json.status_code : undefined
}

function named(code: number): string {
  const name = ocpiStatusName(code)
  return name === undefined
    ? String(code)
    : `${code} (${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)})`
}
