/** Faults of a CPO that receives charging preferences. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { OcpiReply, OcpiRequest } from "../../../party/wire/Request.ts"
import { cpo, type Fault } from "../Fault.ts"
import { aboutModule, codeOf, type EditReply, editData, editEnvelope, when } from "../replies.ts"

const base = {
  module: "sessions",
  versions: versionsWhere(({ objects }) => objects.ChargingPreferences !== undefined),
  roles: cpo,
  strength: "must"
} as const

const isWish = (request: OcpiRequest) =>
  aboutModule("sessions")(request) && request.path.at(-1) === "charging_preferences"
const onWish = (edit: EditReply) => ({ reply: when(isWish, edit) })
const accepted = (request: OcpiRequest, reply: OcpiReply): OcpiReply => ({
  ...editEnvelope((envelope) => ({ ...envelope, status_code: 1000, data: "ACCEPTED" }))(request, reply),
  httpStatus: 200
})

/** Faults in how a CPO answers PUT of ChargingPreferences (sessions module). */
export const preferencesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "sessions.wish-as-object",
    description: "Wraps the ChargingPreferencesResponse in an object",
    caughtBy: ["SESS-019"],
    behaviour: onWish(editData((word) => ({ result: word })))
  },
  {
    ...base,
    id: "sessions.wish-without-tariff",
    strength: "should",
    description: "Accepts every profile_type, whether it has a tariff for it or not",
    caughtBy: ["SESS-020"],
    behaviour: onWish(editData((word) => (word === "PROFILE_TYPE_NOT_SUPPORTED" ? "ACCEPTED" : word)))
  },
  {
    ...base,
    id: "sessions.wish-anywhere",
    strength: "should",
    description: "Accepts charging preferences at EVSEs without CHARGING_PREFERENCES_CAPABLE",
    caughtBy: ["SESS-021"],
    behaviour: onWish((request, reply) =>
      reply.httpStatus === 404 && /CAPABLE/.test(reply.body ?? "") ? accepted(request, reply) : reply
    )
  },
  {
    ...base,
    id: "sessions.wish-for-nothing",
    description: "Accepts charging preferences without profile_type",
    caughtBy: ["SESS-023"],
    behaviour: onWish((request, reply) =>
      codeOf(reply) === 2001 && reply.httpStatus !== 404 ? accepted(request, reply) : reply
    )
  }
]
