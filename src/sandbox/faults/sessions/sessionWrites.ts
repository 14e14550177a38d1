/** Faults of an EMSP that receives sessions. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { readBack, without } from "../edits.ts"
import { allVersions, emsp, type Fault } from "../Fault.ts"
import { aboutModule, answersCode, storedAnyhow, takesAnyhow, when } from "../replies.ts"

const base = { module: "sessions", versions: allVersions, roles: emsp, strength: "must" } as const
const appending = versionsWhere(({ patchAppendsPeriods }) => patchAppendsPeriods === true)

/** Prefix of the contract ids that tests use for another EMSP, which does not exist. */
export const otherEmspsDriver = "AQ-TST-"
/**
 * `kwh` of the test session after a PATCH, after a PATCH with an empty list of charging periods, and after a PATCH that
 * follows its end. Faults are stateless: they recognize by this value what was sent before.
 */
const kwhPatched = 2.25
const kwhWithoutPeriods = 3.25
const kwhAfterTheEnd = 9.75

const calls = (method: string) => (request: OcpiRequest) =>
  request.method === method && aboutModule("sessions")(request)
const says = (text: string) => (request: OcpiRequest) => calls("PUT")(request) && request.body.includes(text)

/** Faults in how an EMSP stores sessions that a CPO PUTs and PATCHes (sessions module, Receiver interface). */
export const sessionWritesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "sessions.new-refused",
    description: "Refuses sessions that it does not know yet",
    caughtBy: ["SESS-101"],
    behaviour: { reply: when(calls("PUT"), answersCode(2000)) }
  },
  {
    ...base,
    id: "sessions.refused-and-stored",
    description: "Refuses invalid sessions, and stores them all the same",
    caughtBy: ["SESS-109"],
    behaviour: {
      reply: when((request) => calls("GET")(request) && /-W\d$/.test(request.path.at(-1) ?? ""), storedAnyhow)
    }
  },
  {
    ...base,
    id: "sessions.forgets-auth-method",
    description: "Loses the auth_method of a session that was sent to it",
    caughtBy: ["SESS-102"],
    behaviour: { reply: readBack("sessions", without("auth_method")) }
  },
  {
    ...base,
    id: "sessions.patch-forgets",
    description: "Loses the currency of a session when it is patched",
    caughtBy: ["SESS-103"],
    behaviour: {
      reply: readBack("sessions", (session) =>
        session["kwh"] === kwhPatched ? without("currency")(session) : session
      )
    }
  },
  {
    ...base,
    id: "sessions.empty-list-empties",
    versions: appending,
    description: "Drops a session's charging periods when a PATCH brings an empty list",
    caughtBy: ["SESS-105"],
    behaviour: {
      reply: readBack("sessions", (session) =>
        session["kwh"] === kwhWithoutPeriods ? { ...session, charging_periods: [] } : session
      )
    }
  },
  {
    ...base,
    id: "sessions.put-merges",
    versions: appending,
    description: "Keeps the charging periods of a session that a PUT leaves out",
    caughtBy: ["SESS-106"],
    behaviour: {
      reply: readBack("sessions", (session) =>
        "charging_periods" in session
          ? session
          : {
              ...session,
              charging_periods: [
                { start_date_time: session["last_updated"], dimensions: [{ type: "TIME", volume: 1 }] }
              ]
            }
      )
    }
  },
  {
    ...base,
    id: "sessions.periods-below",
    versions: appending,
    strength: "should",
    description: "Accepts a PATCH of the path charging_periods below a session",
    caughtBy: ["SESS-107"],
    behaviour: {
      reply: when(
        (request) => calls("PATCH")(request) && request.path.at(-1) === "charging_periods",
        (request, reply) => ({ ...answersCode(1000)(request, reply), httpStatus: 200 })
      )
    }
  },
  {
    ...base,
    id: "sessions.case-matters",
    versions: appending,
    strength: "should",
    description: "Does not find a session when its id is written in upper case",
    caughtBy: ["SESS-115"],
    behaviour: {
      reply: when(
        (request) => calls("GET")(request) && /-MIXED$/.test(request.path.at(-1) ?? ""),
        (request, reply) => ({ ...answersCode(2000)(request, reply), httpStatus: 404 })
      )
    }
  },
  {
    ...base,
    id: "sessions.anything-taken",
    description: "Answers success to invalid sessions",
    caughtBy: ["SESS-109"],
    behaviour: {
      reply: when((request) => calls("PUT")(request) && !says(otherEmspsDriver)(request), takesAnyhow(2001))
    }
  },
  {
    ...base,
    id: "sessions.forgets-last-energy",
    versions: appending,
    description: "Loses the kwh of a session that is completed",
    caughtBy: ["JRN-011"],
    behaviour: {
      reply: readBack("sessions", (session) =>
        session["status"] === "COMPLETED" ? without("kwh")(session) : session
      )
    }
  },
  {
    ...base,
    id: "sessions.stays-active",
    description: "Shows sessions as ACTIVE after they were completed",
    caughtBy: ["SESS-110"],
    behaviour: {
      reply: readBack("sessions", (session) =>
        session["status"] === "COMPLETED" ? { ...session, status: "ACTIVE" } : session
      )
    }
  },
  {
    ...base,
    id: "sessions.closed-when-over",
    strength: "may",
    description: "Refuses changes of completed sessions",
    caughtBy: ["SESS-111"],
    behaviour: {
      reply: when(
        (request) => calls("PATCH")(request) && request.body.includes(`"kwh":${kwhAfterTheEnd}`),
        answersCode(2000)
      )
    }
  },
  {
    ...base,
    id: "sessions.reservation-refused",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    description: "Refuses a reservation whose EVSE is not known yet",
    caughtBy: ["SESS-112"],
    behaviour: { reply: when(says('"#NA"'), answersCode(2003)) }
  },
  {
    ...base,
    id: "sessions.unknown-place-refused",
    strength: "should",
    description: "Refuses sessions at locations that were never pushed to it",
    caughtBy: ["SESS-113"],
    behaviour: { reply: when(says('-HOME"'), answersCode(2003)) }
  },
  {
    ...base,
    id: "sessions.any-driver",
    strength: "should",
    description: "Accepts sessions of other EMSPs' drivers",
    caughtBy: ["SESS-114"],
    behaviour: {
      reply: when(says(otherEmspsDriver), (request, reply) =>
        reply.httpStatus < 300 ? answersCode(1000)(request, reply) : reply
      )
    }
  }
]
