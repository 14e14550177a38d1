/**
 * The steps of a first registration by their names, and what they have found so far: where the partner's endpoints are, what
 * registered us, and what became of Token A.
 */

import type { BlockedBy } from "../../../../../schema/Assertion.ts"
import { dataOf, named, statusLine, succeeded } from "../../../../findings/answers.ts"
import { isObject, type JsonObject } from "../../../../findings/json.ts"
import { isHttpUrl } from "../../../../findings/links.ts"
import type { Answered, Evidence } from "../../../model/Evidence.ts"
import type { ProbeRequest } from "../../../model/Probe.ts"
import { stepOf } from "../../shared/stepAnswers.ts"

/** The script of the first registration. */
export const firstRegistration = "credentials.first"
/** A step of the first registration, as checks need it. */
export const firstStep = (step: string): string => `${firstRegistration}#${step}`

/** POSTs that register nobody: what is wrong with each, by its step. */
export const incomplete = ["without token", "without url", "without a party", "without a business"] as const
/** POSTs without Token A, by their steps. */
export const withoutTokenA = ["without a token", "with an unknown token"] as const
/** The step that looks for calls back to those POSTs. */
export const calledBackUnauthorized = "called back without Token A"
/** Steps that look whether Token A still opens versions, each after the refused request of another step. */
export const keptAfter = { renewed: "kept after PUT", ended: "kept after DELETE" } as const

/** POSTs during which our versions endpoint answers HTTP 401, HTTP 5xx or no JSON. */
export const unreadable = ["refused to", "broken to", "no JSON for"] as const
/**
 * The POST during which our details list credentials alone: a partner that needs no other module may register us (credentials,
 * Required endpoints not available).
 */
const mayRegister = "credentials only"
/** Every POST with Token A that must not register, by its step, in the order in which they are sent. */
export const wrongSteps = [
  ...incomplete,
  "cut short",
  "unreachable",
  ...unreadable,
  "version missing",
  mayRegister
] as const

/** What was tried so far, with Token A, without a token and with an unknown one, with its answers. */
const triedSteps = (evidence: Evidence): ReadonlyArray<TriedStep> =>
  [...withoutTokenA, "renewed", ...wrongSteps].flatMap((step) =>
    evidence.answered(firstStep(step)).map((seen) => ({ step, seen }))
  )

/** A request that was tried before the registration, by its step, and its answer. */
interface TriedStep {
  readonly step: string
  readonly seen: Answered
}

/** The answers to it. */
export const tried = (evidence: Evidence): ReadonlyArray<Answered> =>
  triedSteps(evidence).map(({ seen }) => seen)

/** The request that was answered with success and a token before it came to the registration; undefined: none was. */
export const takenBy = (evidence: Evidence): TriedStep | undefined =>
  triedSteps(evidence).find(({ seen }) => succeeded(seen) && hasToken(seen))

/** Was there such a request? */
export const isTaken = (evidence: Evidence): boolean => takenBy(evidence) !== undefined

const hasToken = (seen: Answered) => {
  const data = dataOf(seen)
  return isObject(data) && typeof data["token"] === "string"
}

/** The answer that has registered us to that POST; undefined: it has not. */
export const registeredWithLittle = (evidence: Evidence): Answered | undefined => {
  const taken = takenBy(evidence)
  return taken?.step === mayRegister ? taken.seen : undefined
}

/** The check that reports what was wrong with a request, by its step. */
export const reportedBy: Readonly<Record<string, string>> = {
  ...Object.fromEntries(withoutTokenA.map((step) => [step, "CRED-048"])),
  renewed: "CRED-017",
  ...Object.fromEntries(incomplete.map((step) => [step, "CRED-020"])),
  "cut short": "CRED-021",
  unreachable: "CRED-022",
  ...Object.fromEntries(unreadable.map((step) => [step, "CRED-023"])),
  "version missing": "CRED-024"
}

/** The step that asks whether the token is accepted that a wrong request was answered with. Each partner has this endpoint. */
export const proofOfToken = "proof of the token"
/** The step that calls with Token A when another request than the handshake has registered us: the handshake replaces a token once more. */
export const tokenAAtOnce = "Token A at once"

/**
 * The first answer of the credentials endpoint to Token A, where each was HTTP 401: Token A may have been entered wrongly, or the partner
 * takes it in another form. Undefined: it was accepted at least once, or not tried.
 */
export const refusedThroughout = (evidence: Evidence): Answered | undefined => {
  const answers = (["renewed", "ended", ...wrongSteps, "late", "register"] as const)
    .flatMap((step) => stepOf(evidence, firstStep(step)) ?? [])
    .filter(({ exchange }) => exchange.module === "credentials")
  return answers.every(({ response }) => response.httpStatus === 401) ? answers[0] : undefined
}

/** Does versions tell Token A from no token, and accept it? */
export const isTokenAKnown = (evidence: Evidence): boolean =>
  evidence.answered("versions.no-token").some(({ response }) => response.httpStatus === 401) &&
  evidence.answered(firstStep("versions")).some(succeeded)

/** The answer that refused Token A after a request that did not register, as what blocks a check; undefined: there was none. */
export const burntBy = (evidence: Evidence): BlockedBy | undefined => {
  if (refusedThroughout(evidence) !== undefined) return undefined
  const refused = wrongSteps
    .flatMap((step) => stepOf(evidence, firstStep(step)) ?? [])
    .find(({ response }) => response.httpStatus === 401)
  const lostBy = (["renewed", "ended"] as const).find(
    (step) => stepOf(evidence, firstStep(keptAfter[step]))?.response.httpStatus === 401
  )
  return refused === undefined
    ? undefined
    : {
        check: lostBy === undefined ? "CRED-026" : lostBy === "renewed" ? "CRED-017" : "CRED-018",
        exchangeId: refused.exchange.id,
        what: `Token A is not accepted after a wrong request: ${named(refused)} was answered ${statusLine(refused)}`
      }
}

/** The last request of a registration as it should be, and its answer. */
export const registering = (evidence: Evidence): Answered | undefined =>
  stepOf(evidence, firstStep("register")) ?? stepOf(evidence, firstStep("late"))

/** Was this credentials request successful? */
export const isRegistered = (seen: Answered | undefined): boolean =>
  seen !== undefined && seen.exchange.module === "credentials" && succeeded(seen)

/** GET of the partner's versions. */
export const versionsOf = ({ party }: Evidence): ProbeRequest => ({
  module: "versions",
  interfaceRole: "SENDER",
  operation: "list",
  url: party.counterpart.versionsUrl
})

const objectsOf = (data: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(data) ? data.filter(isObject) : []

/** The URL of the details, from the versions that it serves for Token A. */
export const detailsUrl = (evidence: Evidence): string | undefined => {
  const list = stepOf(evidence, firstStep("versions"))
  const entry = objectsOf(list === undefined ? undefined : dataOf(list)).find(
    ({ version }) => version === evidence.profile.version
  )
  return isHttpUrl(entry?.["url"]) ? entry["url"] : undefined
}

/** The partner's endpoint, from the details that it serves for Token A. */
export const endpointOf = (evidence: Evidence, module: string): string | undefined => {
  const details = stepOf(evidence, firstStep("details"))
  const data = details === undefined ? undefined : dataOf(details)
  const known = objectsOf(isObject(data) ? data["endpoints"] : undefined)
  const url = known.find(
    ({ identifier, role }) =>
      identifier === module && (role === undefined || role === "SENDER" || module === "credentials")
  )?.["url"]
  return isHttpUrl(url) ? url : undefined
}

/** A request to its credentials endpoint; undefined: none is known. */
export const credentialsRequest = (
  evidence: Evidence,
  method: "GET" | "POST" | "PUT" | "DELETE"
): ProbeRequest | undefined => {
  const url = endpointOf(evidence, "credentials")
  return url === undefined
    ? undefined
    : {
        module: "credentials",
        interfaceRole: "SENDER",
        operation: `${method} credentials`,
        method,
        url,
        announced: true
      }
}
