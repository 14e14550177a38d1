/** Faults of an EMSP that asks for charging profiles, and receives their results and active profiles. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { objectIn } from "../../../findings/json.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { field, without } from "../edits.ts"
import { emsp, type Fault } from "../Fault.ts"
import { aboutModule, editEnvelope, when } from "../replies.ts"

const base = {
  module: "chargingprofiles",
  versions: versionsWhere(({ modules }) => modules.includes("chargingprofiles")),
  roles: emsp,
  strength: "must"
} as const

const sent = (method: OcpiRequest["method"]) => (request: OcpiRequest) =>
  aboutModule("chargingprofiles")(request) && request.method === method

const withoutUnit = (profile: unknown) => without("charging_rate_unit")(objectIn(profile))

/** Faults of an EMSP's requests about charging profiles, and of its answers to results and to active profiles. */
export const sentProfilesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "chargingprofiles.results-with-data",
    description: "Answers POST of a result with data",
    caughtBy: ["CP-101"],
    behaviour: {
      reply: when(
        sent("POST"),
        editEnvelope((envelope) => ({ ...envelope, data: {} }))
      )
    }
  },
  {
    ...base,
    id: "chargingprofiles.set-without-unit",
    description: "Leaves the unit out of the charging profiles that it sets",
    caughtBy: ["CP-103"],
    behaviour: {
      call: (call) =>
        call.module === "chargingprofiles" && call.method === "PUT"
          ? { ...call, body: field("charging_profile", withoutUnit)(objectIn(call.body)) }
          : call
    }
  },
  {
    ...base,
    id: "chargingprofiles.active-refused",
    description: "Refuses PUT of the active charging profile",
    caughtBy: ["CP-102"],
    behaviour: {
      reply: when(
        sent("PUT"),
        editEnvelope((envelope) => ({ ...envelope, status_code: ocpiStatus.clientError }))
      )
    }
  }
]
