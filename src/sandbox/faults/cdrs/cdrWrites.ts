/** Faults of an EMSP that receives CDRs. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { allVersions, emsp, type Fault } from "../Fault.ts"
import {
  aboutModule,
  answersCode,
  headerOf,
  storedAnyhow,
  takesAnyhow,
  when,
  withHeader
} from "../replies.ts"
import { otherEmspsDriver } from "../sessions/sessionWrites.ts"

const base = { module: "cdrs", versions: allVersions, roles: emsp, strength: "must" } as const
const withDetails = versionsWhere(({ cdrDetails }) => cdrDetails)

const calls = (method: string) => (request: OcpiRequest) =>
  request.method === method && aboutModule("cdrs")(request)
const says = (text: string) => (request: OcpiRequest) => calls("POST")(request) && request.body.includes(text)
const refuses = (what: (request: OcpiRequest) => boolean, status: number) => ({
  reply: when(what, (request, reply) =>
    withHeader(answersCode(status)(request, reply), "Location", undefined)
  )
})

/** Faults in how an EMSP takes POST and DELETE of CDRs (CDRs module, Receiver interface). */
export const cdrWritesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "cdrs.new-refused",
    description: "Refuses every CDR",
    caughtBy: ["CDR-101"],
    behaviour: refuses(calls("POST"), 2000)
  },
  {
    ...base,
    id: "cdrs.relative-address",
    description: "Answers POST with a Location header that is a path only, not a URL",
    strength: "should",
    caughtBy: ["CDR-102"],
    behaviour: {
      reply: when(calls("POST"), (_, reply) => {
        const address = headerOf(reply, "Location")
        return address === undefined ? reply : withHeader(reply, "Location", new URL(address).pathname)
      })
    }
  },
  {
    ...base,
    id: "cdrs.without-address",
    description: "Answers POST without a Location header",
    caughtBy: ["CDR-102"],
    behaviour: { reply: when(calls("POST"), (_, reply) => withHeader(reply, "Location", undefined)) }
  },
  {
    ...base,
    id: "cdrs.anything-taken",
    description: "Answers success to invalid CDRs",
    caughtBy: ["CDR-104"],
    behaviour: {
      reply: when(
        (request) =>
          calls("POST")(request) &&
          (request.body.includes('"KWH"') ||
            !/"total_cost"/.test(request.body) ||
            !/"charging_periods"/.test(request.body)),
        takesAnyhow(2001)
      )
    }
  },
  {
    ...base,
    id: "cdrs.refused-and-stored",
    description: "Refuses invalid CDRs, and stores them all the same",
    caughtBy: ["CDR-104"],
    behaviour: {
      reply: when((request) => calls("GET")(request) && /-W\d$/.test(request.path.at(-1) ?? ""), storedAnyhow)
    }
  },
  {
    ...base,
    id: "cdrs.stored-twice",
    strength: "should",
    description: "Stores a CDR a second time when it is sent again",
    caughtBy: ["CDR-105"],
    behaviour: {
      reply: when(calls("POST"), (_, reply) =>
        reply.httpStatus === 200 && headerOf(reply, "Location") !== undefined
          ? withHeader(reply, "Location", `${headerOf(reply, "Location")}-2`)
          : reply
      )
    }
  },
  {
    ...base,
    id: "cdrs.overwritten",
    strength: "should",
    description: "Accepts another CDR under an id that it already has",
    caughtBy: ["CDR-106"],
    behaviour: { reply: when(says('-C1"'), takesAnyhow(2001)) }
  },
  {
    ...base,
    id: "cdrs.credit-refused",
    versions: withDetails,
    description: "Refuses Credit CDRs",
    caughtBy: ["CDR-107"],
    behaviour: refuses(says('"credit_reference_id"'), 2001)
  },
  {
    ...base,
    id: "cdrs.reservation-refused",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    description: "Refuses the CDR of an unused reservation",
    caughtBy: ["CDR-108"],
    behaviour: refuses(says('"#NA"'), 2003)
  },
  {
    ...base,
    id: "cdrs.can-be-deleted",
    description: "Accepts DELETE of a CDR",
    caughtBy: ["CDR-109"],
    behaviour: {
      reply: when(calls("DELETE"), (_, reply) => ({
        ...withHeader(reply, "Content-Type", "application/json"),
        httpStatus: 200,
        body: JSON.stringify({ status_code: 1000, timestamp: "2026-01-01T00:00:00Z" })
      }))
    }
  },
  {
    ...base,
    id: "cdrs.of-pushed-session-refused",
    description: "Refuses the CDR of a session that was pushed to it until its end",
    caughtBy: ["JRN-010"],
    behaviour: refuses(says('-J1"'), 2000)
  },
  {
    ...base,
    id: "cdrs.unknown-place-refused",
    strength: "should",
    description: "Refuses CDRs of locations that were never pushed to it",
    caughtBy: ["CDR-110"],
    behaviour: refuses(says('-HOME"'), 2003)
  },
  {
    ...base,
    id: "cdrs.any-driver",
    strength: "should",
    description: "Accepts CDRs of other EMSPs' drivers",
    caughtBy: ["CDR-111"],
    behaviour: {
      reply: when(says(otherEmspsDriver), (request, reply) =>
        reply.httpStatus < 300 ? answersCode(1000)(request, reply) : reply
      )
    }
  },
  {
    ...base,
    id: "cdrs.session-required",
    versions: withDetails,
    strength: "should",
    description: "Refuses CDRs without session_id",
    caughtBy: ["CDR-112"],
    behaviour: refuses(
      (request) =>
        calls("POST")(request) && !request.body.includes('"session_id"') && !request.body.includes('"#NA"'),
      2001
    )
  }
]
