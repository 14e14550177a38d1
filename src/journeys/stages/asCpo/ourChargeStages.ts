/** Stages that push a charge at one of our places to the partner: its session from beginning to end, and its CDR. */
import { isSuccessCode } from "../../../findings/answers.ts"
import { wasTaken } from "../../../findings/calledPath.ts"
import { type JsonObject, textIn } from "../../../findings/json.ts"
import type { ActStep } from "../../model/Act.ts"
import type { CleanUp, CleanUpPlan, JourneyStage, Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { answerOf, exchangesOf, intentOf, type RunHistory } from "../../model/RunHistory.ts"
import { changeOf, finalCdr, finalSession, type OurCharge, sessionAfter, sessionIdOf } from "./ourCharge.ts"
import { kept, ownPath } from "./ourPlace.ts"
import { afterAccepted, isAsSent, taken, wasTold } from "./ownObjectRules.ts"
import { readBack, tell, telling, unmet } from "./ownObjects.ts"
import { foreignToken } from "./partnerTokens.ts"

/** JRN-010: the partner accepts every message of a charge. */
const checkId = "JRN-010"

const sessionAt = {
  module: "sessions",
  object: "session",
  at: (history: RunHistory) => [sessionIdOf(history)]
} as const

/** As `taken`; a refusal of what names a token of another party says nothing. */
const takenOf = (stageId: string, charge: OurCharge, details: Parameters<typeof taken>[1]): Rule => {
  const rule = taken(stageId, details)
  return {
    ...rule,
    judge: (history) => {
      const ruling = rule.judge(history)
      const isRefused = exchangesOf(history, stageId).some(
        ({ response }) => response !== null && response.httpStatus < 500
      )
      const why = isRefused ? foreignToken(history, charge.authorized(history)) : undefined
      return ruling !== undefined && "message" in ruling && why !== undefined ? { notTested: why } : ruling
    }
  }
}

/** Stage `begin-session`: PUT of the session at its start. */
export const beginSession = (charge: OurCharge): JourneyStage => {
  const session = (history: RunHistory) => sessionAfter(history, charge, 0)
  const details = {
    title: "The partner accepts a new session",
    reference: "mod_sessions, Receiver Interface, PUT Method",
    checkId
  }
  const { expect: _, ...stage } = tell(
    {
      id: "begin-session",
      name: "Begin the session",
      description: "PUT a session that has just become ACTIVE, with no energy yet.",
      optionalForLater: false
    },
    { ...sessionAt, method: "PUT", body: session, whole: session },
    details
  )
  const rule = takenOf(stage.id, charge, details)
  return {
    ...stage,
    expect: [rule],
    stopsIf: (history) => {
      const ruling = rule.judge(history)
      if (ruling === undefined || "unobservable" in ruling) return undefined
      if ("notTested" in ruling) return ruling.notTested
      return "notApplicable" in ruling ? ruling.notApplicable : ruling.message
    }
  }
}

const update = (charge: OurCharge, number: number) =>
  telling({
    ...sessionAt,
    method: "PATCH",
    body: (history) => changeOf(history, charge, number),
    whole: (history) => sessionAfter(history, charge, number)
  })

/** Real time between two updates, in seconds; default 2. */
export const pace = ({ inputs }: RunHistory): number =>
  typeof inputs["stepSeconds"] === "number" ? inputs["stepSeconds"] : 2

/** Stage `update-session`: PATCHes of the running session, all updates but the last. */
export const updateSession = (charge: OurCharge, updates: number): JourneyStage => ({
  id: "update-session",
  name: "Update the session",
  actor: "us",
  module: "sessions",
  description: "PATCH the energy, the cost and a charging period while the charge runs.",
  timeoutSeconds: 120,
  act: {
    act: "simulate",
    steps: Array.from(
      { length: updates },
      (_, index): ActStep => ({ ...update(charge, index + 1), afterSeconds: pace })
    )
  },
  writes: true,
  idempotent: false,
  optionalForLater: true,
  expect: [
    takenOf("update-session", charge, {
      title: "The partner accepts updates of a session",
      reference: "mod_sessions, Receiver Interface, PATCH Method",
      checkId
    })
  ]
})

/** Stage `end-session`: the last update, which ends the session. `updates`: how many there are with it. */
export const endSession = (charge: OurCharge, updates: number): JourneyStage => ({
  id: "end-session",
  name: "End the session",
  actor: "us",
  module: "sessions",
  description: "PATCH the session to COMPLETED, with its end, energy and cost.",
  timeoutSeconds: 30,
  act: { act: "exchange", ...update(charge, updates) },
  writes: true,
  idempotent: false,
  optionalForLater: true,
  expect: [
    takenOf("end-session", charge, {
      title: "The partner accepts the end of a session",
      reference: "mod_sessions, Receiver Interface, PATCH Method",
      checkId
    })
  ]
})

/** A clean-up that ends a session which the partner may believe to be running, followed by `others`. */
export const leavesNothingOpen = (charge: OurCharge, others: CleanUpPlan): CleanUpPlan => ({
  cleanUp: (history, occasion) => {
    const session = finalSession(history, charge)
    const begun = (answerOf(history, "begin-session")?.response?.httpStatus ?? 500) < 300
    const ended = history.events.some(
      (event) => event.type === "exchange.intended" && event.exchange.operation === "end session"
    )
    const isOpen = begun && intentOf(history, "end-session") === undefined && !ended
    return [
      ...(isOpen && session !== undefined ? [endAs(history, session)] : []),
      ...[others.cleanUp?.(history, occasion) ?? []].flat()
    ]
  },
  remains: (history) => [
    ...(intentOf(history, "begin-session") === undefined ? [] : [`session ${sessionIdOf(history)}`]),
    ...(intentOf(history, "send-cdr") === undefined ? [] : [`the CDR of session ${sessionIdOf(history)}`]),
    ...(others.remains?.(history) ?? [])
  ]
})

/** PUT of the whole session: whatever the partner has of it, this is how it ended. */
const endAs = (history: RunHistory, session: JsonObject): CleanUp => ({
  sends: "PUT sessions",
  call: () => ({
    module: "sessions",
    interfaceRole: "RECEIVER",
    operation: "end session",
    method: "PUT",
    path: [...ownPath(history), ...sessionAt.at(history)],
    body: session
  })
})

/** A stage that GETs the partner's copy and compares it with what we sent, if all of it was sent. */
export const readSession = (charge: OurCharge): JourneyStage => {
  const { expect, ...stage } = readBack(
    {
      id: "read-session",
      name: "Read the session back",
      description: "GET the session from the partner: it must be what we have, with all periods."
    },
    sessionAt,
    (history) => finalSession(history, charge),
    {
      title: "The partner's copy of the session equals ours, with all charging periods",
      reference: "mod_sessions, Receiver Interface, GET Method",
      checkId: "JRN-011"
    }
  )
  /** A message that the partner has refused is its own finding, and no fault of ours. */
  const hasRefused = (history: RunHistory) =>
    ["update-session", "end-session"]
      .flatMap((id) => exchangesOf(history, id))
      .some((exchange) => exchange.response !== null && !wasTaken(exchange))
  const allTold = (history: RunHistory) =>
    wasTold(history, "update-session", charge.instants(history).length - 2) && wasTold(history, "end-session")
  return {
    ...stage,
    expect: expect.map((rule) => ({
      ...rule,
      judge: (history) =>
        allTold(history)
          ? afterAccepted(["update-session", "end-session"], rule.judge)(history)
          : {
              unobservable:
                "As far as plugfest knows, the partner did not get all messages about the session",
              ...(hasRefused(history) ? { attribution: "partner" as const } : {})
            }
    }))
  }
}

/** Stage `send-cdr`: POST of the CDR. */
export const sendCdr = (charge: OurCharge): JourneyStage => ({
  id: "send-cdr",
  name: "Send the CDR",
  actor: "us",
  module: "cdrs",
  description: "POST the CDR of the session that has ended.",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "POST cdrs",
    call: (history) => {
      const body = finalCdr(history, charge)
      return body === undefined
        ? unmet
        : { module: "cdrs", interfaceRole: "RECEIVER", operation: "POST cdr", method: "POST", body }
    },
    keeps: (history, now) => {
      const cdr = finalCdr(history, charge)
      return cdr === undefined ? [] : [{ ...kept("cdrs", cdr), lastUpdated: now }]
    }
  },
  writes: true,
  // OCPI does not say what a partner does with the same CDR twice.
  idempotent: false,
  optionalForLater: true,
  expect: [
    takenOf("send-cdr", charge, {
      title: "The partner accepts the CDR",
      reference: "mod_cdrs, Receiver Interface, POST Method",
      checkId
    }),
    {
      id: "send-cdr.address",
      title: "The answer to POST cdrs has a Location header with the CDR's URL",
      strength: "must",
      reference: "mod_cdrs, Receiver Interface, POST Method",
      judge: (history): Ruling => {
        const response = answerOf(history, "send-cdr")?.response
        if (!isSuccessCode(response?.ocpiStatusCode))
          return { notTested: "The partner did not accept the CDR" }
        const address = textIn(response?.headers["location"])
        if (address === undefined)
          return { message: "The answer has no Location header", expected: "Location: https://…" }
        return !/^https?:\/\//i.test(address) || cdrAddress(history) === undefined
          ? {
              message: "The Location header is not an absolute URL",
              expected: "Location: https://…",
              actual: address,
              strength: "should"
            }
          : undefined
      }
    }
  ]
})

/** The URL of the partner's copy. One without a host is read as HTTP reads it: below the URL of the request. */
function cdrAddress(history: RunHistory): string | undefined {
  const answer = answerOf(history, "send-cdr")
  const address = textIn(answer?.response?.headers["location"])
  const base = answer?.request.url
  if (address === undefined || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  return /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** Stage `read-cdr`: GET of the CDR's URL that the partner gave. */
export const readCdr = (charge: OurCharge): JourneyStage => ({
  id: "read-cdr",
  name: "Read the CDR back",
  actor: "us",
  module: "cdrs",
  description: "GET the CDR at the URL that the partner gave: it must be the one that we sent.",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET cdrs",
    readsStored: true,
    call: (history) => {
      const url = cdrAddress(history)
      return url === undefined
        ? {
            unmet: "The partner's answer to POST cdrs has no Location header with the CDR's URL",
            goesOn: true
          }
        : { module: "cdrs", interfaceRole: "RECEIVER", operation: "GET cdr", method: "GET", url }
    }
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: "read-cdr.same",
      title: "The partner's copy of the CDR equals the one that we sent",
      strength: "must",
      reference: "mod_cdrs, Receiver Interface, GET Method",
      judge: isAsSent("read-cdr", (history) => finalCdr(history, charge), { mustReturn: true })
    }
  ]
})
