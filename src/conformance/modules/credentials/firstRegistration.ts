/** A first registration, with Token A: what must not register, and that the right request does. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { named, statusCode, statusLine, succeeded } from "../../../findings/answers.ts"
import {
  answer,
  dataIs,
  http,
  milder,
  onlyForRegistration,
  refused,
  revoked,
  unauthorized
} from "../../../findings/expectations.ts"
import { finding, unexpected, unless, when } from "../../../findings/finding.ts"
import {
  blocked,
  type Check,
  either,
  inconclusive,
  type Judgement,
  noneOf,
  type Precondition,
  pass
} from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { expects, type ProbeRule } from "../../model/expects.ts"
import { stepOf } from "../shared/waiting.ts"
import { calledFor, notAllowed } from "./credentialsFlaws.ts"
import {
  burntBy,
  calledBackUnauthorized,
  firstStep,
  incomplete,
  isRegistered,
  keptAfter,
  lateSeconds,
  proofOfToken,
  registeredWithLittle,
  registering,
  reportedBy,
  takenBy,
  tokenAAtOnce,
  tried,
  unreadable,
  withoutTokenA
} from "./firstRegistrationProbes.ts"

const base = {
  module: "credentials",
  versions: versionNumbers,
  roles: either,
  mode: "MUT",
  phase: "write",
  first: true,
  strength: "must",
  reference: "credentials, Registration"
} as const

/** A partner that refuses the right POST refuses the wrong ones for the same reason: CRED-001 reports it. */
const whereTaken: ReadonlyArray<Precondition> = [{ check: "CRED-001" }]

/** Of the answers to these steps. */
const steps = (names: ReadonlyArray<string>, ...rules: ReadonlyArray<ProbeRule>) =>
  expects(names.map(firstStep), ...rules)

/** This status code, or one that is tolerated; another one breaks no more than a `should`. */
const coded = (expected: number, ...tolerated: ReadonlyArray<number>) =>
  milder(
    () => true,
    answer(`status_code ${expected}`, (seen) => [expected, ...tolerated].includes(statusCode(seen)))
  )

/** Refused with HTTP 405, and nothing was done: Token A still opens versions. */
const refusedForGood = (step: keyof typeof keptAfter): Pick<Check, "judge" | "needs" | "partial"> => ({
  partial: true,
  needs: () => [step, keptAfter[step]].map(firstStep),
  judge: (evidence) => {
    const seen = stepOf(evidence, firstStep(step))
    if (seen === undefined) return inconclusive("not_tested", "the request was not sent")
    const still = stepOf(evidence, firstStep(keptAfter[step]))
    return noneOf(
      [
        ...notAllowed(seen),
        ...when(still?.response.httpStatus === 401, () =>
          finding(
            still,
            `${named(seen)} was refused with ${statusLine(seen)}, and Token A is not accepted after it`,
            { expected: "HTTP 200: a refused request changes nothing", actual: "HTTP 401" }
          )
        )
      ],
      statusLine(seen)
    )
  }
})

/** That Token A is still accepted after what should have been refused: else a later refusal of it has that cause. */
const stillKept = (...steps: ReadonlyArray<keyof typeof keptAfter>): ReadonlyArray<Precondition> =>
  steps.map((step) => ({
    answers: firstStep(keptAfter[step]),
    what: `GET versions with Token A after a ${keptAfter[step].slice("kept after ".length)} that is refused`,
    rule: (seen) => unless(seen.response.httpStatus !== 401, () => unexpected(seen, "HTTP 200")),
    check: step === "renewed" ? "CRED-017" : "CRED-018",
    ifGathered: true
  }))

/**
 * Blocked, where a request that was to be refused was answered with a token before: it says whether that token is accepted, which
 * alone shows that we are registered. Undefined: there was no such request.
 */
const byMistake = (evidence: Evidence): Judgement | undefined => {
  const taken = takenBy(evidence)
  const check = taken === undefined ? undefined : reportedBy[taken.step]
  if (taken === undefined || check === undefined) return undefined
  const proof = stepOf(evidence, firstStep(proofOfToken))
  const came = `${named(taken.seen)} was to be refused and was answered ${statusLine(taken.seen)} with a token`
  const meaning =
    proof === undefined
      ? "whether that token is accepted is not known"
      : succeeded(proof)
        ? "that token is accepted, so that we are registered"
        : `that token is not accepted (${named(proof)} was answered ${statusLine(proof)}), so that it cannot be told whether we are registered`
  return blocked({ check, exchangeId: taken.seen.exchange.id, what: `${came}; ${meaning}` })
}

/**
 * Not tested: our handshake ended before POST credentials, with that answer. Where it refuses what was accepted before wrong requests,
 * CRED-026 reports it.
 */
const notReached = (seen: Answered | undefined, evidence: Evidence): Judgement => {
  const end = "the handshake did not come as far as POST credentials"
  return seen === undefined
    ? inconclusive("not_tested", end)
    : blocked({
        ...(succeeded(seen) || tried(evidence).length === 0 ? {} : { check: "CRED-026" }),
        exchangeId: seen.exchange.id,
        what: `${end}: ${seen.handshakeError ?? `${named(seen)} came with ${statusLine(seen)}`}`
      })
}

/**
 * Judge POST of credentials with Token A: which requests are refused, and that the correct one registers (credentials,
 * POST Method).
 */
export const firstRegistrationChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CRED-001",
    title: "POST credentials: a party with Token A is registered",
    sends: "POST credentials with Token A, as the handshake of a connection does",
    passes: "HTTP 200 or 201, status_code 1000, data is a Credentials object",
    hint: "Answer POST credentials with your own credentials object and a fresh token in it.",
    requires: () => stillKept("renewed", "ended"),
    partial: true,
    needs: () => ["late", "register"].map(firstStep),
    judge: (evidence) => {
      const mistake = byMistake(evidence)
      if (mistake !== undefined) return mistake
      const burnt = burntBy(evidence)
      if (burnt !== undefined) return blocked(burnt)
      const seen = registeredWithLittle(evidence) ?? registering(evidence)
      if (seen === undefined || seen.exchange.module !== "credentials") return notReached(seen, evidence)
      const { httpStatus } = seen.response
      return noneOf(
        succeeded(seen) && (httpStatus === 200 || httpStatus === 201)
          ? dataIs("an object")(seen)
          : [unexpected(seen, "HTTP 200 or 201, status_code 1000")]
      )
    }
  },
  {
    ...base,
    id: "CRED-013",
    mode: "RO",
    strength: "should",
    title: "Authorization: HTTP 401 for Token A after the registration",
    sends: "GET versions with Token A after the registration",
    passes: "HTTP 401",
    hint: "Make Token A invalid when you have answered POST credentials with Token C.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    partial: true,
    needs: () => ["late", tokenAAtOnce, "Token A"].map(firstStep),
    judge: (evidence) => {
      const mistake = byMistake(evidence)
      if (mistake !== undefined) return mistake
      const seen = registeredWithLittle(evidence) ?? registering(evidence)
      if (!isRegistered(seen)) return notReached(seen, evidence)
      const asked = [tokenAAtOnce, "Token A"].flatMap((step) => evidence.answered(firstStep(step)))
      return asked.length === 0
        ? inconclusive(
            "not_tested",
            "no answer to a request with Token A after the registration is known",
            "ours"
          )
        : noneOf(asked.flatMap(revoked), "HTTP 401")
    }
  },
  {
    ...base,
    id: "CRED-014",
    mode: "RO",
    versions: versionsWhere(({ endpointRoles }) => endpointRoles),
    title: "Authorization: HTTP 401 for a list with Token A",
    reference: "transport_and_format, Authorization header",
    sends: "GET of a list with Token A before the registration",
    passes: "HTTP 401",
    hint: "Accept Token A for versions, version details and credentials, and refuse it everywhere else.",
    ...steps(["list"], onlyForRegistration)
  },
  {
    ...base,
    id: "CRED-048",
    title: "POST credentials: HTTP 401 without a token and for an unknown one, without a call back",
    reference: "transport_and_format, Authorization header; credentials, Registration",
    sends: "POST credentials of ours without a token and with a random one, before the registration",
    passes:
      "HTTP 401 both times, no credentials in the answer, and no call to the versions URL of the request",
    hint: "Look the token up first: without a valid one neither read the body nor call the versions URL in it.",
    partial: true,
    needs: () => [...withoutTokenA, calledBackUnauthorized].map(firstStep),
    judge: (evidence) => {
      const sent = withoutTokenA.flatMap((step) => stepOf(evidence, firstStep(step)) ?? [])
      if (sent.length === 0)
        return inconclusive("not_tested", "details with Token A lead to no credentials endpoint")
      return noneOf(
        [...sent.flatMap(unauthorized), ...calledFor(evidence.seen(firstStep(calledBackUnauthorized)))],
        "HTTP 401"
      )
    }
  },
  {
    ...base,
    id: "CRED-017",
    title: "PUT credentials: HTTP 405 for a party that is not registered",
    reference: "credentials, PUT Method",
    sends: "PUT credentials with Token A before the registration, then GET versions with it",
    passes: "HTTP 405, and Token A is still accepted",
    hint: "Answer 405 to PUT credentials until the party has registered by POST.",
    ...refusedForGood("renewed")
  },
  {
    ...base,
    id: "CRED-018",
    title: "DELETE credentials: HTTP 405 for a party that is not registered",
    reference: "credentials, DELETE Method",
    sends: "DELETE credentials with Token A before the registration, then GET versions with it",
    passes: "HTTP 405, and Token A is still accepted",
    hint: "Answer 405 to DELETE credentials until the party has registered by POST.",
    requires: () => stillKept("renewed"),
    ...refusedForGood("ended")
  },
  {
    ...base,
    requires: () => whereTaken,
    id: "CRED-020",
    title: "POST credentials: status_code 2001 for an incomplete object",
    reference: "credentials, Credentials object; status_codes, 2001",
    sends: "POST credentials with Token A, in turn without token, url, party and business",
    passes: "status_code 2xxx (2001 is expected), and no token is handed over",
    hint: "Check the body before you call back, and answer 2001 when a required field is missing.",
    partial: true,
    ...steps(
      incomplete,
      refused(
        "status_code 2001, and no token",
        // HTTP 401 is about Token A and a finding of another check.
        (seen) => statusCode(seen) === 2001 || seen.response.httpStatus === 401
      )
    )
  },
  {
    ...base,
    id: "CRED-021",
    mode: "RO",
    title: "POST credentials: HTTP 400 for a body that is not JSON",
    reference: "status_codes",
    sends: "POST credentials with Token A and a body that is cut short",
    passes: "HTTP 400",
    hint: "Answer HTTP 400 to a body that cannot be parsed, before anything else is done with it.",
    requires: () => stillKept("renewed", "ended"),
    ...steps(["cut short"], http(400))
  },
  {
    ...base,
    id: "CRED-022",
    strength: "should",
    title: "POST credentials: status_code 3001 when our versions URL cannot be reached",
    reference: "credentials, Registration; status_codes, 3001",
    sends: "POST credentials with Token A and a versions URL where nothing listens",
    passes: "status_code 3001",
    hint: "Answer status_code 3001 when the call back fails, and keep Token A valid.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    ...steps(["unreachable"], coded(3001))
  },
  {
    ...base,
    id: "CRED-023",
    strength: "should",
    title: "POST credentials: status_code 3001 when our versions cannot be read",
    reference: "credentials, Registration; status_codes, 3001",
    sends: "POST credentials with Token A while our versions answer HTTP 401, then 500, then no JSON",
    passes: "status_code 3001 each time",
    hint: "Answer status_code 3001 whenever our versions cannot be read: after an HTTP error, and for a body that is not JSON.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    partial: true,
    ...steps(unreadable, coded(3001))
  },
  {
    ...base,
    id: "CRED-024",
    strength: "should",
    title: "POST credentials: status_code 3002 when our versions list lacks the version",
    reference: "status_codes, 3002",
    sends: "POST credentials with Token A while our versions list lacks the version of the endpoint",
    passes: "status_code 3002; 3001 and 3003 are tolerated",
    hint: "Look for the version of your endpoint in the other side's list, and answer 3002 when it is not there.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    ...steps(["version missing"], coded(3002, 3001, 3003))
  },
  {
    ...base,
    id: "CRED-025",
    strength: "should",
    title: "POST credentials: success or status_code 3003 when our details list credentials only",
    reference: "credentials, Required endpoints not available",
    sends: "POST credentials with Token A while our details list credentials only",
    passes: "success, or status_code 3003",
    hint: "Answer status_code 3003 when our version details lack endpoints that you need, and register us otherwise.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    ...steps(["credentials only"], coded(3003, 1000))
  },
  {
    ...base,
    id: "CRED-026",
    strength: "should",
    title: "POST credentials: Token A stays valid after a failed registration",
    sends: "the right POST credentials after wrong ones, with the same Token A",
    passes: "the registration succeeds",
    hint: "Keep Token A valid until a registration with it has succeeded.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    partial: true,
    needs: () => ["late", "register"].map(firstStep),
    judge: (evidence) => {
      const mistake = byMistake(evidence)
      if (mistake !== undefined) return mistake
      if (tried(evidence).length === 0) return inconclusive("not_tested", "nothing wrong was tried before")
      const seen = registeredWithLittle(evidence) ?? registering(evidence)
      // A discovery that was answered well, and led nowhere, says nothing about Token A.
      if (seen === undefined || (seen.exchange.module !== "credentials" && succeeded(seen)))
        return notReached(seen, evidence)
      return isRegistered(seen)
        ? pass()
        : noneOf([
            unexpected(seen, "success, as of a POST without wrong ones before it", { strength: "should" })
          ])
    }
  },
  {
    ...base,
    id: "CRED-047",
    mode: "RISK",
    strength: "should",
    title: "POST credentials: the registration succeeds when our answers take 5 seconds",
    sends: `POST credentials with Token A, while our answers to its call backs take ${lateSeconds} seconds each`,
    passes: "the registration succeeds",
    hint: "Wait up to 30 seconds for each answer to your call backs before you give a registration up.",
    requires: () => stillKept("renewed", "ended"),
    partial: true,
    needs: () => ["late", "register"].map(firstStep),
    judge: (evidence) => {
      const mistake = byMistake(evidence)
      if (mistake !== undefined) return mistake
      if (registeredWithLittle(evidence) !== undefined)
        return inconclusive(
          "not_tested",
          "the partner has registered us before, while our details listed credentials alone, which it may: there is no second POST credentials"
        )
      const late = stepOf(evidence, firstStep("late"))
      if (late === undefined || late.exchange.module !== "credentials") return notReached(late, evidence)
      if (isRegistered(late)) return pass(`answered after ${Math.round(late.exchange.durationMs / 1000)} s`)
      const atOnce = registering(evidence) ?? late
      return isRegistered(atOnce)
        ? noneOf([unexpected(late, "success, as when our answers came at once", { strength: "should" })])
        : blocked({
            check: "CRED-001",
            exchangeId: atOnce.exchange.id,
            what: "the partner registers us neither when our answers are late nor when they come at once"
          })
    }
  }
]
