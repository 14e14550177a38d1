/**
 * A first registration: requests that must not register are sent with Token A, then the correct one. If the partner accepts
 * a wrong one, the run goes on with that, so that the connection ends up registered in any case.
 */

import { succeeded } from "../../../../findings/answers.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { type ProbeRequest, type ProbeStep, type WritingProbe, withheld } from "../../../model/Probe.ts"
import { firstPage } from "../../shared/lists.ts"
import { stepOf } from "../../shared/stepAnswers.ts"
import { firstList } from "../../transport/formsProbes.ts"
import { noTokenYet } from "../../versions/versionsProbes.ts"
import {
  calledBackUnauthorized,
  credentialsRequest,
  detailsUrl,
  endpointOf,
  firstRegistration,
  firstStep,
  isRegistered,
  isTaken,
  keptAfter,
  proofOfToken,
  registering,
  tokenAAtOnce,
  versionsOf,
  withoutTokenA,
  wrongSteps
} from "./firstRegistrationSteps.ts"
import { wrongPost, wrongPosts } from "./wrongPosts.ts"

/** By how much our answers to the partner's call backs are late at first. */
export const lateSeconds = 5
/** More calls on our versions than that are answered at once. */
const mostCalls = 20

const withTokenA = (evidence: Evidence): ProbeRequest => ({
  ...versionsOf(evidence),
  credentials: { use: "former" }
})

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

/**
 * GET of versions and details with Token A; POST without it; PUT, DELETE and wrong POSTs of credentials; then the registration, and a
 * call with Token A.
 */
export const firstRegistrationProbes: ReadonlyArray<WritingProbe> = [
  {
    id: firstRegistration,
    alone: true,
    steps: [
      {
        id: "versions",
        act: (evidence) =>
          evidence.party.registration === "registered"
            ? withheld("not_applicable", "the connection is registered; its first registration is over")
            : evidence.tokens.some(({ slot }) => slot === "outbound")
              ? { send: versionsOf(evidence) }
              : noTokenYet
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
        wrongPost(step, {
          change: () =>
            step === "without a token"
              ? { credentials: { use: "none" }, about: "without Authorization header" }
              : { credentials: { use: "random" } }
        })
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
          const put = credentialsRequest(evidence, "PUT")
          return put === undefined || isTaken(evidence)
            ? undefined
            : { send: { ...put, registration: "hand over" } }
        }
      },
      kept("renewed"),
      {
        id: "ended",
        act: (evidence) => {
          const send = credentialsRequest(evidence, "DELETE")
          return send === undefined || isTaken(evidence) ? undefined : { send }
        }
      },
      kept("ended"),
      ...wrongSteps.map((step) => wrongPost(step, wrongPosts[step])),
      {
        id: proofOfToken,
        act: (evidence) => {
          const send = credentialsRequest(evidence, "GET")
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
          ourFaults: [{ fault: "late-answer", module: "versions", seconds: lateSeconds, times: mostCalls }]
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
