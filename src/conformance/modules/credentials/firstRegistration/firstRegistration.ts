/** A first registration, with Token A: that the right request registers, also after wrong ones, and what becomes of Token A. */

import { named, statusLine, succeeded } from "../../../../findings/answers.ts"
import { dataIs, revoked } from "../../../../findings/expectations.ts"
import { unexpected } from "../../../../findings/finding.ts"
import { blocked, type Check, inconclusive, type Judgement, noneOf, pass } from "../../../model/Check.ts"
import type { Answered, Evidence } from "../../../model/Evidence.ts"
import { stepOf } from "../../shared/stepAnswers.ts"
import { endpointsOf, has } from "../../versions/details.ts"
import {
  firstRegistrationBase,
  refusedTokenA,
  stillKept,
  unlessTokenARefused,
  whereTaken
} from "./firstRegistrationBase.ts"
import { lateSeconds } from "./firstRegistrationProbes.ts"
import {
  burntBy,
  firstStep,
  isRegistered,
  isTokenAKnown,
  proofOfToken,
  registeredWithLittle,
  registering,
  reportedBy,
  takenBy,
  tokenAAtOnce,
  tried
} from "./firstRegistrationSteps.ts"

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

/** The check that reports version details which lead to no registration; undefined where none does. */
const reportedOf = (details: Answered): string | undefined => {
  const endpoints = endpointsOf(details)
  if (!succeeded(details) || endpoints.length === 0) return "VERS-006"
  return has(endpoints, "credentials") ? undefined : "VERS-008"
}

/**
 * Not tested: our handshake ended before POST credentials, with that answer. Where it refuses what was accepted before wrong requests,
 * CRED-026 reports it.
 */
const notReached = (seen: Answered | undefined, evidence: Evidence): Judgement => {
  const end = "the handshake did not come as far as POST credentials"
  if (seen === undefined) return inconclusive("not_tested", end)
  const isRefused = !succeeded(seen)
  const check =
    seen.exchange.operation === "details"
      ? reportedOf(seen)
      : isRefused && tried(evidence).length > 0
        ? "CRED-026"
        : undefined
  return blocked({
    ...(check === undefined ? {} : { check }),
    exchangeId: seen.exchange.id,
    what: `${end}: ${(isRefused ? undefined : seen.handshakeError) ?? `${named(seen)} was answered ${statusLine(seen)}`}`
  })
}

/** Judge that POST of credentials with Token A registers, and ends Token A (credentials, POST Method). */
export const firstRegistrationChecks: ReadonlyArray<Check> = [
  {
    ...firstRegistrationBase,
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
      const refused = isTokenAKnown(evidence) ? undefined : refusedTokenA(evidence)
      if (refused !== undefined) return refused
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
    ...firstRegistrationBase,
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
    judge: unlessTokenARefused((evidence) => {
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
    })
  }
]

/** Judge that it registers in spite of wrong requests before it, and of slow answers of ours. */
export const undeterredRegistrationChecks: ReadonlyArray<Check> = [
  {
    ...firstRegistrationBase,
    id: "CRED-026",
    strength: "should",
    title: "POST credentials: Token A stays valid after a failed registration",
    sends: "the right POST credentials after wrong ones, with the same Token A",
    passes: "the registration succeeds",
    hint: "Keep Token A valid until a registration with it has succeeded.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    partial: true,
    needs: () => ["late", "register"].map(firstStep),
    judge: unlessTokenARefused((evidence) => {
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
    })
  },
  {
    ...firstRegistrationBase,
    id: "CRED-047",
    mode: "RISK",
    strength: "should",
    title: "POST credentials: the registration succeeds when our answers take 5 seconds",
    sends: `POST credentials with Token A, while our answers to its call backs take ${lateSeconds} seconds each`,
    passes:
      "the registration succeeds; where the partner has registered us while our details listed credentials alone, PUT credentials does",
    hint: "Wait up to 30 seconds for each answer to your call backs before you give a registration up.",
    requires: () => stillKept("renewed", "ended"),
    partial: true,
    needs: () => ["late", "register"].map(firstStep),
    judge: unlessTokenARefused((evidence) => {
      const mistake = byMistake(evidence)
      if (mistake !== undefined) return mistake
      // Where our details with credentials alone were enough to register us, which is allowed, the handshake sends PUT: the partner
      // calls back for it as for the POST.
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
    })
  }
]
