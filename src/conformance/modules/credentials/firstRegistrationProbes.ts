/**
 * A first registration: requests that must not register are sent with Token A, then the correct one. If the partner accepts
 * a wrong one, the run goes on with that, so that the connection ends up registered in any case.
 */

import type { BlockedBy } from "../../../../schema/Assertion.ts"
import { dataOf, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { isHttpUrl } from "../../../findings/links.ts"
import type { OurFault } from "../../../store/parties/PartyStore.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { type ProbeRequest, type ProbeStep, type WritingProbe, withheld } from "../../model/Probe.ts"
import { firstPage } from "../shared/lists.ts"
import { stepOf } from "../shared/waiting.ts"
import { firstList } from "../transport/formsProbes.ts"

const id = "credentials.first"
/** A step of the first registration, as checks need it. */
export const firstStep = (step: string): string => `${id}#${step}`

/** By how much our answers to the partner's call backs are late at first. */
export const lateSeconds = 5
/** More calls on our versions than that are answered at once. */
const mostCalls = 20

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

const versionsOf = ({ party }: Evidence): ProbeRequest => ({
  module: "versions",
  interfaceRole: "SENDER",
  operation: "list",
  url: party.counterpart.versionsUrl
})

const objectsOf = (data: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(data) ? data.filter(isObject) : []

const detailsUrl = (evidence: Evidence): string | undefined => {
  const list = stepOf(evidence, firstStep("versions"))
  const entry = objectsOf(list === undefined ? undefined : dataOf(list)).find(
    ({ version }) => version === evidence.profile.version
  )
  return isHttpUrl(entry?.["url"]) ? entry["url"] : undefined
}

/** The partner's endpoint, from the details that it serves for Token A. */
const endpointOf = (evidence: Evidence, module: string): string | undefined => {
  const details = stepOf(evidence, firstStep("details"))
  const data = details === undefined ? undefined : dataOf(details)
  const known = objectsOf(isObject(data) ? data["endpoints"] : undefined)
  const url = known.find(
    ({ identifier, role }) =>
      identifier === module && (role === undefined || role === "SENDER" || module === "credentials")
  )?.["url"]
  return isHttpUrl(url) ? url : undefined
}

/** What was tried so far, with Token A, without a token and with an unknown one, with its answers. */
const triedSteps = (evidence: Evidence): ReadonlyArray<TriedStep> =>
  [...withoutTokenA, "renewed", ...wrong.map((step) => step.id)].flatMap((step) =>
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

const isTaken = (evidence: Evidence): boolean => takenBy(evidence) !== undefined

const hasToken = (seen: Answered) => {
  const data = dataOf(seen)
  return isObject(data) && typeof data["token"] === "string"
}

/** The POST during which our details list credentials alone: a partner that needs no other module may register us (credentials, Required endpoints not available). */
const mayRegister = "credentials only"
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

/** The answer that refused Token A after a request that did not register, as what blocks a check; undefined: there was none. */
export const burntBy = (evidence: Evidence): BlockedBy | undefined => {
  const refused = wrong
    .flatMap((step) => stepOf(evidence, firstStep(step.id)) ?? [])
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

const withTokenA = (evidence: Evidence): ProbeRequest => ({
  ...versionsOf(evidence),
  credentials: { use: "former" }
})

const credentials = (
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

/** What a POST is sent under, by the id of its step, where the id does not say it. */
const conditions: Readonly<Record<string, string>> = {
  "cut short": "with a body that is cut short",
  unreachable: "with a versions URL where nothing listens",
  "refused to": "while our versions are answered with HTTP 401",
  "broken to": "while our versions are answered with HTTP 500",
  "no JSON for": "while our versions are answered without JSON",
  "version missing": "while our versions lack the version",
  "credentials only": "while our version details list credentials only"
}

/** Why a wrong request is not sent; undefined: it is. */
const needless = (evidence: Evidence): BlockedBy | undefined => {
  const taken = takenBy(evidence)
  if (taken === undefined) return burntBy(evidence)
  const check = reportedBy[taken.step]
  return {
    ...(check === undefined ? {} : { check }),
    exchangeId: taken.seen.exchange.id,
    what: `the request was not sent: ${named(taken.seen)} before it was answered ${statusLine(taken.seen)} with a token, so that we may be registered`
  }
}
const noCredentials = "the partner's version details name no credentials endpoint"

/** A POST that must not register; left out when an earlier one did, or made an end of Token A. */
const wrongPost = (
  step: string,
  change: (evidence: Evidence) => Pick<ProbeRequest, "body" | "credentials" | "rawBody" | "wrongOnPurpose">,
  bent: ReadonlyArray<OurFault> = []
): ProbeStep => ({
  id: step,
  act: (evidence) => {
    const post = credentials(evidence, "POST")
    if (post === undefined) return { leftOut: noCredentials }
    const by = needless(evidence)
    if (by !== undefined) return { leftOut: by }
    return {
      send: { ...post, registration: "hand over", about: conditions[step] ?? step, ...change(evidence) },
      bent
    }
  }
})

/** A versions URL at which no server listens, from any host. */
const refusing = "http://127.0.0.1:1/ocpi/versions"
const asItIs = () => ({})
const lacks = (what: string) => ({ wrongOnPurpose: { body: `${what} is missing` } })

/** Does Token A still open versions after a refused request? */
const kept = (after: keyof typeof keptAfter): ProbeStep => ({
  id: keptAfter[after],
  act: (evidence) => {
    const seen = stepOf(evidence, firstStep(after))
    return seen === undefined || isTaken(evidence) || succeeded(seen)
      ? undefined
      : { send: { ...versionsOf(evidence), about: keptAfter[after].replace(/^kept /, "") } }
  }
})
/** Enough for a partner that tries both forms of the token at each of two addresses. */
const inVersions = (fault: OurFault["fault"]): ReadonlyArray<OurFault> => [
  { fault, module: "versions", times: 4 }
]

const ourRole = ({ party }: Evidence, more: JsonObject): JsonObject => ({
  role: party.role,
  party_id: party.identity.partyId,
  country_code: party.identity.countryCode,
  ...more
})

const wrong: ReadonlyArray<ProbeStep> = [
  wrongPost("without token", () => ({ ...lacks("token"), body: { token: undefined } })),
  wrongPost("without url", () => ({ ...lacks("url"), body: { url: undefined } })),
  wrongPost("without a party", ({ profile }) => ({
    ...lacks("the party"),
    body: profile.credentialsRoles ? { roles: [] } : { party_id: undefined }
  })),
  wrongPost("without a business", (evidence) => ({
    ...lacks("business_details"),
    body: evidence.profile.credentialsRoles
      ? { roles: [ourRole(evidence, {})] }
      : { business_details: undefined }
  })),
  wrongPost("cut short", () => ({
    rawBody: '{"token":',
    wrongOnPurpose: { body: "JSON that is cut short" }
  })),
  wrongPost("unreachable", () => ({ body: { url: refusing } })),
  wrongPost("refused to", asItIs, inVersions("unauthorized")),
  wrongPost("broken to", asItIs, inVersions("server-error")),
  wrongPost("no JSON for", asItIs, inVersions("no-json")),
  wrongPost("version missing", asItIs, inVersions("version-missing")),
  wrongPost(mayRegister, asItIs, inVersions("credentials-only"))
]

/**
 * GET of versions and details with Token A; POST without it; PUT, DELETE and wrong POSTs of credentials; then the registration, and a
 * call with Token A.
 */
export const firstRegistrationProbes: ReadonlyArray<WritingProbe> = [
  {
    id,
    alone: true,
    steps: [
      {
        id: "versions",
        act: (evidence) =>
          evidence.party.registration === "registered"
            ? withheld("not_applicable", "the connection is registered; its first registration is over")
            : evidence.tokens.some(({ slot }) => slot === "outbound")
              ? { send: versionsOf(evidence) }
              : withheld(
                  "not_applicable",
                  "there is no Token A of the partner's: it is the partner who registers"
                )
      },
      {
        id: "details",
        act: (evidence) => {
          const url = detailsUrl(evidence)
          return url === undefined
            ? withheld("not_tested", "GET versions with Token A does not lead to the version's details")
            : {
                send: {
                  module: "versions",
                  interfaceRole: "SENDER",
                  operation: "details",
                  url,
                  announced: true
                }
              }
        }
      },
      {
        id: "list",
        act: (evidence) => {
          const module = firstList(evidence)
          const url = module === undefined ? undefined : endpointOf(evidence, module)
          return module === undefined || url === undefined || !evidence.profile.endpointRoles
            ? undefined
            : { send: { ...firstPage(module, evidence), url, announced: true } }
        }
      },
      ...withoutTokenA.map((step) =>
        wrongPost(step, () => ({ credentials: { use: step === "without a token" ? "none" : "random" } }))
      ),
      {
        id: calledBackUnauthorized,
        act: (evidence) => {
          const first = withoutTokenA.flatMap((step) => evidence.answered(firstStep(step)))[0]
          return first === undefined
            ? undefined
            : {
                wait: {
                  seconds: 1,
                  instruction: "The partner must not call the versions URL of a request without its Token A",
                  provoke: "the partner did not call the versions URL of a request without its Token A",
                  matches: ({ exchange }) =>
                    exchange.module === "versions" &&
                    Date.parse(exchange.startedAt) >= Date.parse(first.exchange.startedAt)
                }
              }
        }
      },
      {
        id: "renewed",
        act: (evidence) => {
          const put = credentials(evidence, "PUT")
          return put === undefined || isTaken(evidence)
            ? undefined
            : { send: { ...put, registration: "hand over" } }
        }
      },
      kept("renewed"),
      {
        id: "ended",
        act: (evidence) => {
          const send = credentials(evidence, "DELETE")
          return send === undefined || isTaken(evidence) ? undefined : { send }
        }
      },
      kept("ended"),
      ...wrong,
      {
        id: proofOfToken,
        act: (evidence) => {
          const send = credentials(evidence, "GET")
          return send === undefined || !isTaken(evidence) ? undefined : { send }
        }
      },
      {
        id: tokenAAtOnce,
        act: (evidence) => (isTaken(evidence) ? { send: withTokenA(evidence) } : undefined)
      },
      {
        id: "late",
        act: () => ({
          register: true,
          bent: [{ fault: "late-answer", module: "versions", seconds: lateSeconds, times: mostCalls }]
        })
      },
      {
        id: "register",
        act: (evidence) => (isRegistered(registering(evidence)) ? undefined : { register: true })
      },
      {
        id: "Token A",
        act: (evidence) => (isTaken(evidence) ? undefined : { send: withTokenA(evidence) })
      }
    ]
  }
]
