/** Faults in the fields of a CPO's sessions, in lists and pushes. */
import { dayMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn } from "../../../findings/json.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { eitherField, field, inEach, inside, told, without } from "../edits.ts"
import { allVersions, cpo, type Fault, withRoles } from "../Fault.ts"
import { aboutList, editEnvelope, when } from "../replies.ts"

const base = { module: "sessions", versions: allVersions, roles: cpo, strength: "must" } as const
const session = (edit: (session: JsonObject) => JsonObject) => told("sessions", edit)

const monthMillis = 30 * dayMillis
/** The date 30 days earlier; anything but a date is returned unchanged. */
export const monthBefore = (at: unknown): unknown => {
  const millis = dateTimeMillis(at)
  return millis === undefined ? at : dateTimeOf(millis - monthMillis)
}
/** The first number in a Price object; anything but an object is returned unchanged. */
export const plainNumber = (price: unknown): unknown =>
  typeof price === "object" && price !== null
    ? (Object.values(price).find((value) => typeof value === "number") ?? 0)
    : price

const withoutStart = (request: OcpiRequest) =>
  aboutList("sessions")(request) && !request.query.has("date_from")

/** Faults in the fields of a CPO's sessions: status, times, costs, charging periods, location, token and authorization. */
export const sessionDataFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "sessions.start-not-needed",
    strength: "may",
    description: "Answers a list also without date_from, which the request must have",
    caughtBy: ["SESS-003"],
    behaviour: {
      reply: when(
        withoutStart,
        editEnvelope((envelope) =>
          envelope["status_code"] === ocpiStatus.invalidParameters
            ? { ...envelope, status_code: ocpiStatus.success, data: [] }
            : envelope
        )
      )
    }
  },
  {
    ...base,
    id: "sessions.unknown-status",
    description: "Gives its sessions a status that OCPI does not know",
    caughtBy: ["SESS-004"],
    behaviour: session(field("status", () => "CHARGING"))
  },
  {
    ...base,
    id: "sessions.no-start",
    description: "Leaves the start time out of its sessions",
    caughtBy: ["SESS-002"],
    behaviour: session(without("start_datetime", "start_date_time"))
  },
  {
    ...base,
    id: "sessions.ends-before-start",
    description: "Gives sessions an end a month before their start",
    caughtBy: ["SESS-005"],
    behaviour: session(eitherField(["end_datetime", "end_date_time"], monthBefore))
  },
  {
    ...base,
    id: "sessions.completed-without-end",
    strength: "should",
    description: "Leaves the end time out of completed sessions",
    caughtBy: ["SESS-006"],
    behaviour: session(without("end_datetime", "end_date_time"))
  },
  {
    ...base,
    id: "sessions.unknown-currency",
    description: "Gives sessions a currency that does not exist",
    caughtBy: ["SESS-014"],
    behaviour: session(field("currency", () => "EUX"))
  },
  {
    ...base,
    id: "sessions.periods-backwards",
    strength: "should",
    description: "Lists the charging periods of a session newest first",
    caughtBy: ["SESS-008"],
    behaviour: session(field("charging_periods", (periods) => [...objectsIn(periods)].reverse()))
  },
  {
    ...base,
    id: "sessions.unknown-dimension",
    description: "Uses a dimension that OCPI does not know",
    caughtBy: ["SESS-009"],
    behaviour: session(
      inEach(
        "charging_periods",
        inEach("dimensions", (dimension) => ({ ...dimension, type: "KWH" }))
      )
    )
  },
  {
    ...base,
    id: "sessions.unknown-location",
    versions: versionsWhere(({ place }) => place === "ids"),
    strength: "should",
    description: "References a location in its sessions that it does not list",
    caughtBy: ["SESS-010"],
    behaviour: session(field("location_id", () => "NO-SUCH-LOCATION"))
  },
  {
    ...base,
    id: "sessions.many-evses",
    versions: versionsWhere(({ place }) => place === "location"),
    description: "Puts more EVSEs into a session's location than the one in use",
    caughtBy: ["SESS-012"],
    behaviour: session(inside("location", withSecondEvse))
  },
  {
    ...base,
    id: "sessions.cost-as-number",
    versions: versionsWhere(({ price }) => price !== "number"),
    description: "Writes a session's total cost as a plain number",
    caughtBy: ["SESS-014"],
    behaviour: session(field("total_cost", plainNumber))
  },
  {
    ...base,
    id: "sessions.foreign-token",
    strength: "should",
    description: "Names a token in its sessions that no EMSP has issued",
    caughtBy: ["SESS-013"],
    behaviour: session((object) =>
      inside("cdr_token", (token) =>
        field("party_id", () => "YYY")({ ...token, uid: "NO-SUCH-TOKEN", contract_id: "XX-YYY-C00000000" })
      )(field("auth_id", () => "XX-YYY-C00000000")(object))
    )
  },
  {
    ...base,
    id: "sessions.wrong-auth-method",
    versions: versionsWhere(({ commandAuthMethod }) => commandAuthMethod === "COMMAND"),
    description: "Writes auth_method AUTH_REQUEST into sessions that a command started",
    caughtBy: ["CMD-021"],
    behaviour: session(field("auth_method", () => "AUTH_REQUEST"))
  },
  {
    ...base,
    id: "sessions.lost-reference",
    versions: withRoles,
    description: "Leaves the command's authorization_reference out of the session",
    caughtBy: ["CMD-022"],
    behaviour: session(without("authorization_reference"))
  }
]

/** The location with a copy of its first EVSE added under another uid. */
function withSecondEvse(location: JsonObject): JsonObject {
  const evses = objectsIn(location["evses"])
  return {
    ...location,
    evses: [...evses, ...evses.slice(0, 1).map((evse) => ({ ...evse, uid: "OTHER-EVSE" }))]
  }
}
