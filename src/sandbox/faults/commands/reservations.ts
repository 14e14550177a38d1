/** Faults of a CPO that receives reservations. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import { field, inEach, readBack } from "../edits.ts"
import { allVersions, cpo, type Fault, withRoles } from "../Fault.ts"
import { isResult, recent } from "../pushes.ts"
import { aboutCommand, aboutList, editData, editEnvelope, when } from "../replies.ts"

const base = { module: "commands", versions: allVersions, roles: cpo, strength: "must" } as const

const result = (command: string, edit: (push: Push) => ReadonlyArray<Push>) => ({
  push: (push: Push) => (isResult(push) && push.command === command ? edit(push) : [push])
})
const says = (push: Push, word: string): Push => ({ ...push, body: { result: word } })

/** Is it the completed session of an unused reservation? Nothing was charged in it. */
const isUnused = (json: JsonObject) => json["status"] === "COMPLETED" && Number(json["kwh"] ?? 0) === 0

/** The location with its reserved EVSEs as AVAILABLE. */
const notReserved = inEach(
  "evses",
  field("status", (status) => (status === "RESERVED" ? "AVAILABLE" : status))
)

/** Faults in how a CPO reserves, cancels and ends reservations, and in the sessions and statuses that show them. */
export const reservationsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.reservation-id-refused",
    description: "Refuses every reservation_id as invalid",
    caughtBy: ["CMD-028"],
    behaviour: {
      reply: when(
        aboutCommand("RESERVE_NOW"),
        editEnvelope(({ data: _, ...envelope }) => ({
          ...envelope,
          status_code: ocpiStatus.invalidParameters
        }))
      )
    }
  },
  {
    ...base,
    module: "locations",
    id: "locations.reserved-not-shown",
    strength: "should",
    description: "Shows reserved EVSEs as AVAILABLE",
    caughtBy: ["CMD-029"],
    behaviour: {
      reply: readBack("locations", notReserved),
      push: (push) => {
        if (push.operation === "PATCH evse" && objectIn(push.body)["status"] === "RESERVED") return []
        return [
          push.operation === "PUT location" ? { ...push, body: notReserved(objectIn(push.body)) } : push
        ]
      }
    }
  },
  {
    ...base,
    module: "sessions",
    id: "sessions.reservation-not-told",
    versions: withRoles,
    description: "Neither lists nor pushes the session of a reservation",
    caughtBy: ["CMD-030"],
    behaviour: {
      reply: when(
        aboutList("sessions"),
        editData((data) =>
          Array.isArray(data) ? objectsIn(data).filter(({ status }) => status !== "RESERVATION") : data
        )
      ),
      push: (push) =>
        push.module === "sessions" && objectIn(push.body)["status"] === "RESERVATION" ? [] : [push]
    }
  },
  {
    ...base,
    module: "sessions",
    id: "sessions.reservation-twice",
    versions: withRoles,
    strength: "should",
    description: "Lists two sessions of one reservation",
    caughtBy: ["CMD-031"],
    behaviour: {
      reply: when(
        aboutList("sessions"),
        editData((data) =>
          Array.isArray(data)
            ? objectsIn(data).flatMap((session) =>
                session["status"] === "RESERVATION"
                  ? [session, { ...session, id: `${session["id"]}-2` }]
                  : [session]
              )
            : data
        )
      )
    }
  },
  {
    ...base,
    module: "sessions",
    id: "sessions.beside-reservation",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    description:
      "Starts another session when a reservation is used and leaves the reservation's session unchanged",
    caughtBy: ["JRN-006"],
    behaviour: { quirks: ["charges beside the reservation"] }
  },
  {
    ...base,
    id: "commands.reserves-the-past",
    strength: "should",
    description: "Accepts reservations whose expiry_date has passed",
    caughtBy: ["CMD-032"],
    behaviour: {
      reply: when(
        aboutCommand("RESERVE_NOW"),
        editData((data) => (isObject(data) ? { ...data, result: "ACCEPTED" } : data))
      )
    }
  },
  {
    ...base,
    id: "commands.never-cancels",
    versions: withRoles,
    description: "Reports that the charge point did not cancel the reservation",
    caughtBy: ["CMD-033"],
    behaviour: result("CANCEL_RESERVATION", (push) => [says(push, "FAILED")])
  },
  {
    ...base,
    id: "commands.cancels-anything",
    versions: withRoles,
    strength: "should",
    description: "Reports that it cancelled reservations that do not exist",
    caughtBy: ["CMD-034"],
    behaviour: result("CANCEL_RESERVATION", (push) => [says(push, "ACCEPTED")])
  },
  {
    ...base,
    module: "sessions",
    id: "sessions.reservation-never-ends",
    versions: withRoles,
    description: "Never completes the session of an unused reservation",
    caughtBy: ["CMD-035"],
    behaviour: {
      reply: recent("sessions", (session) =>
        isUnused(session) ? { ...session, status: "RESERVATION" } : session
      ),
      push: (push) => (push.module === "sessions" && isUnused(objectIn(push.body)) ? [] : [push])
    }
  },
  {
    ...base,
    id: "commands.cancelled-without-end",
    versions: withRoles,
    description: "Reports that it cancelled a reservation and leaves its session open",
    caughtBy: ["CMD-037"],
    behaviour: result("RESERVE_NOW", (push) => [push, says(push, "CANCELED_RESERVATION")])
  }
]
