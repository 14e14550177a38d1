/** Faults in how a CPO's sessions agree with EVSEs, with each other, and with themselves later. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn } from "../../../findings/json.ts"
import { field, inside, listed, sameKey, told, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"
import { type About, aboutList, aboutModule, editData, editEnvelope, editObjects, when } from "../replies.ts"

const base = { module: "sessions", versions: allVersions, roles: cpo, strength: "must" } as const
const placeFields = ["location", "location_id", "evse_uid", "connector_id"]

const setsPreferences: About = (request) =>
  request.method === "PUT" &&
  aboutModule("sessions")(request) &&
  request.path.at(-1) === "charging_preferences"

const active = (session: JsonObject, at: JsonObject): JsonObject => ({
  ...without("end_datetime", "end_date_time")(session),
  ...Object.fromEntries(placeFields.flatMap((name) => (name in at ? [[name, at[name]]] : []))),
  status: "ACTIVE"
})

/**
 * Faults in how a CPO's sessions agree with EVSEs, other sessions and their own later state, and in preferences for
 * unknown sessions.
 */
export const sessionLinksFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "sessions.place-left-open",
    versions: versionsWhere(({ place }) => place === "ids"),
    description: "Does not name the EVSE of a charge",
    caughtBy: ["SESS-011"],
    behaviour: {
      reply: listed(
        "sessions",
        field("evse_uid", () => "#NA")
      )
    }
  },
  {
    ...base,
    id: "sessions.cheaper-with-tax",
    versions: versionsWhere(({ price }) => price === "excl_vat"),
    strength: "should",
    description: "Gives a total cost that is lower with VAT than without",
    caughtBy: ["SESS-015"],
    behaviour: told(
      "sessions",
      inside("total_cost", (cost) => ({ ...cost, incl_vat: Number(cost["excl_vat"]) / 2 }))
    )
  },
  {
    ...base,
    id: "sessions.two-at-one-evse",
    strength: "should",
    description: "Lists two ACTIVE sessions at one EVSE",
    caughtBy: ["SESS-016"],
    behaviour: {
      reply: when(
        aboutList("sessions"),
        editData((data) => {
          const items = objectsIn(data)
          const [first] = items
          return first === undefined || items.length < 2
            ? data
            : items.map((item, index) => (index < 2 ? active(item, first) : item))
        })
      )
    }
  },
  {
    ...base,
    id: "sessions.never-final",
    description: "Changes sessions after they were completed",
    caughtBy: ["SESS-017"],
    behaviour: {
      reply: when(
        aboutList("sessions"),
        editObjects((session, { receivedAt }) => ({ ...session, meter_id: receivedAt }))
      )
    }
  },
  {
    ...base,
    id: "sessions.id-twice",
    description: "Lists two sessions under one id",
    caughtBy: ["SESS-018"],
    behaviour: { reply: sameKey("sessions", "id") }
  },
  {
    ...base,
    id: "sessions.preferences-for-anything",
    versions: versionsWhere(({ objects }) => objects.ChargingPreferences !== undefined),
    strength: "should",
    description: "Accepts charging preferences for sessions that do not exist",
    caughtBy: ["SESS-022"],
    behaviour: {
      reply: when(setsPreferences, (request, reply) =>
        reply.httpStatus === 404
          ? editEnvelope((envelope) => ({
              ...without("status_message")(envelope),
              data: "ACCEPTED",
              status_code: 1000
            }))(request, { ...reply, httpStatus: 200 })
          : reply
      )
    }
  }
]
