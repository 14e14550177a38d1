/** Why a step of the registration failed, in the form of `lastError`: class first, next step last. */
import { Data, Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { RegistrationErrorKind } from "../../../schema/Preflight.ts"
import { numberIn } from "../../findings/answers.ts"
import { isObject } from "../../findings/json.ts"
import { partnerWords, wordsIn } from "../../findings/partnerWords.ts"
import { firstDocument, parseJson } from "../../findings/readJson.ts"
import { readingsOfForbidden } from "../../findings/refusalReadings.ts"
import type { PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import { deviationsOf, readJsonOf, redirectOf } from "./answerDeviations.ts"

/**
 * A step of the registration failed. `kind` says whose fault it is and what to check; statuses are those of the partner's
 * answer.
 */
export class RegistrationError extends Data.TaggedError("RegistrationError")<{
  readonly kind: RegistrationErrorKind
  /** Without the class; see `lastErrorOf`. */
  readonly message: string
  readonly httpStatus?: number
  readonly statusCode?: number
}> {}

/** The text of `lastError`, e.g. `auth: GET versions answered 401 to both token forms; check Token A`. */
export const lastErrorOf = ({ kind, message }: RegistrationError): string => `${kind}: ${message}`

/**
 * The `data` of a successful answer. `what` names the request (`GET versions`). Fails with `RegistrationError` for
 * anything else, from a dead network to an HTML page or an OCPI error. `deviations` collects what was accepted all the
 * same.
 */
export const dataOf = (
  what: string,
  answer: PartnerAnswer,
  deviations: Array<string>
): Effect.Effect<unknown, RegistrationError> => {
  const { exchange } = answer
  const { response } = exchange
  if (response === null) return Effect.fail(unanswered(what, exchange))
  const json = readJsonOf(answer)
  deviations.push(...deviationsOf(answer, json).map((deviation) => `${what}: ${deviation}`))
  const status = response.httpStatus
  const fail = (kind: RegistrationErrorKind, message: string, statusCode?: number) =>
    Effect.fail(
      new RegistrationError({
        kind,
        message: `${what} ${message}`,
        httpStatus: status,
        ...(statusCode === undefined ? {} : { statusCode })
      })
    )
  if (status >= 300 && status < 400)
    return fail(
      "protocol",
      `answered ${status}, ${redirectOf(answer)}; redirects are not followed, use the final URL`
    )
  const written = isObject(json) ? json["status_code"] : undefined
  const code = numberIn(written)
  const said = partnerSays(response.body)
  if (status === 401) return fail("auth", `answered ${status}${said}; check the token`)
  if (status === 403) {
    const [first, second] = readingsOfForbidden(response)
    return fail("auth", `answered ${status}${said}; likely, in this order: ${first}; or ${second}`)
  }
  if (code < 1000 || code > 1999)
    return fail(kindOfCode(code), `answered HTTP ${status} with OCPI status ${code}${said}`, code)
  if (status === 404) {
    const leading = leadingTo(exchange)
    return leading === undefined
      ? fail("config", `answered 404${said}; check the URL`)
      : fail(
          "protocol",
          `answered 404 at ${exchange.request.url}, where ${leading} leads${said}; the partner has to serve that URL, or to name the right one`
        )
  }
  if (status === 405)
    return fail(
      "protocol",
      `answered 405${said}; the partner may consider us registered already: have it delete the registration and give a new Token A`
    )
  if (status < 200 || status > 299) return fail("protocol", `answered HTTP ${status}${said}`)
  if (json === undefined && exchange.fault?.kind === "too_large")
    return fail("protocol", `answered with too much: ${exchange.fault.message}`)
  if (json === undefined && exchange.fault?.kind === "malformed")
    return fail("protocol", `answered with a body that cannot be read: ${exchange.fault.message}`)
  if (json === undefined) return fail("protocol", `answered ${nature(response)}`)
  if (!isObject(json) || written === undefined)
    return fail("protocol", "answered without an OCPI envelope (no status_code)")
  if (Number.isNaN(code))
    return fail(
      "protocol",
      `answered with status_code ${JSON.stringify(written).slice(0, 40)}, which is no OCPI status code`
    )
  return Effect.succeed(json["data"])
}

/**
 * The partner's own words on what went wrong, marked as such, to be added to a sentence; empty when it says nothing. Takes
 * redacted bodies only, because partners often repeat the token.
 */
export function partnerSays(body: string | null): string {
  const json = body === null ? undefined : (parseJson(body) ?? firstDocument(body))
  const said = wordsIn(json) ?? (json === undefined ? partnerWords({ body, httpStatus: 400 }) : undefined)
  return said === undefined ? "" : `; the partner says: ${JSON.stringify(said)}`
}

/** The answer of the partner that named the URL; undefined where it is the one that was entered. */
function leadingTo({ module, operation }: Exchange): string | undefined {
  if (operation === "details") return "the partner's versions list"
  return module === "credentials" ? "the credentials endpoint of its version details" : undefined
}

function kindOfCode(code: number): RegistrationErrorKind {
  if (code === 3001) return "config"
  return code === 3002 || code === 3003 ? "unsupported" : "protocol"
}

/** What a body is that is no JSON. */
function nature(response: NonNullable<Exchange["response"]>): string {
  const body = response.body?.trim() ?? ""
  const type = (response.headers["content-type"] ?? "").slice(0, 80)
  if (body === "") return "an empty body instead of JSON"
  if (/^<(!doctype|html|\?xml)/i.test(body) || /text\/html/i.test(type)) return "an HTML page instead of JSON"
  return /json/i.test(type)
    ? `a body that is not valid JSON, although its type is ${type}`
    : `${type || "text"} instead of JSON`
}

function unanswered(what: string, { fault, outcome }: Exchange): RegistrationError {
  const why = fault === undefined ? outcome : `${fault.kind}: ${fault.message}`
  if (outcome === "blocked")
    return new RegistrationError({ kind: "config", message: `${what} was not sent, ${why}` })
  const kind = fault?.kind === "malformed" || fault?.kind === "too_large" ? "protocol" : "network"
  const next = outcome === "timed_out" ? "; the partner did not answer in time" : ""
  return new RegistrationError({ kind, message: `${what} got no usable answer, ${why}${next}` })
}
