/** Faults of an EMSP that is told sessions. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject } from "../../../findings/json.ts"
import type { OcpiReply, OcpiRequest } from "../../../party/wire/Request.ts"
import { readBack, without } from "../edits.ts"
import { allVersions, emsp, type Fault } from "../Fault.ts"
import { aboutModule, type EditReply, editEnvelope, jsonOf, when } from "../replies.ts"

const base = { module: "sessions", versions: allVersions, roles: emsp, strength: "must" } as const
const appending = versionsWhere(({ patchAppendsPeriods }) => patchAppendsPeriods === true)

/** Begins the contracts of an EMSP that is not there. */
export const stranger = "AQ-TST-"
/**
 * What the test session says after a PATCH, after one with an empty list, and after one that comes when it is over: a fault
 * keeps nothing in mind itself.
 */
const kwhPatched = 2.25
const kwhWithoutPeriods = 3.25
const kwhAfterTheEnd = 9.75

const calls = (method: string) => (request: OcpiRequest) =>
  request.method === method && aboutModule("sessions")(request)
const says = (text: string) => (request: OcpiRequest) => calls("PUT")(request) && request.body.includes(text)

/** The answer, with that code and no data, as if it were decided so. */
export const code = (status_code: number): EditReply =>
  editEnvelope(({ data: _, ...envelope }) => ({ ...envelope, status_code }))
export const codeOf = (reply: OcpiReply): unknown => {
  const json = jsonOf(reply)
  return isObject(json) ? json["status_code"] : undefined
}
/** Says that it took what it refused with that code. */
export const takesAnyhow =
  (status_code: number): EditReply =>
  (request, reply) =>
    codeOf(reply) === status_code ? { ...code(1000)(request, reply), httpStatus: 200 } : reply

export const sessionWritesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "sessions.new-refused",
    description: "Refuses sessions that it does not know yet",
    caughtBy: ["SESS-101", "JRN-010"],
    behaviour: { reply: when(calls("PUT"), code(2000)) }
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
    description: "Loses the currency of a session that is patched",
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
    description: "Drops the charging periods of a session when a PATCH brings none",
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
    description: "Takes a PATCH of the charging periods below a session",
    caughtBy: ["SESS-107"],
    behaviour: {
      reply: when(
        (request) => calls("PATCH")(request) && request.path.at(-1) === "charging_periods",
        (request, reply) => ({ ...code(1000)(request, reply), httpStatus: 200 })
      )
    }
  },
  {
    ...base,
    id: "sessions.anything-taken",
    description: "Says that it took sessions that are not valid",
    caughtBy: ["SESS-109"],
    behaviour: {
      reply: when((request) => calls("PUT")(request) && !says(stranger)(request), takesAnyhow(2001))
    }
  },
  {
    ...base,
    id: "sessions.stays-active",
    description: "Goes on showing a session as ACTIVE that it was told is over",
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
    description: "Refuses changes of a session that it was told is over",
    caughtBy: ["SESS-111"],
    behaviour: {
      reply: when(
        (request) => calls("PATCH")(request) && request.body.includes(`"kwh":${kwhAfterTheEnd}`),
        code(2000)
      )
    }
  },
  {
    ...base,
    id: "sessions.reservation-refused",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    description: "Refuses a reservation whose EVSE is not known yet",
    caughtBy: ["SESS-112"],
    behaviour: { reply: when(says('"#NA"'), code(2003)) }
  },
  {
    ...base,
    id: "sessions.unknown-place-refused",
    strength: "should",
    description: "Refuses sessions at places that it was not told of",
    caughtBy: ["SESS-113"],
    behaviour: { reply: when(says('-HOME"'), code(2003)) }
  },
  {
    ...base,
    id: "sessions.any-driver",
    strength: "should",
    description: "Takes sessions of drivers of other EMSPs",
    caughtBy: ["SESS-114"],
    behaviour: {
      reply: when(says(stranger), (request, reply) =>
        reply.httpStatus < 300 ? code(1000)(request, reply) : reply
      )
    }
  }
]
