/** Faults of an EMSP that receives results and active profiles of the charging profiles that it requested. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
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

/** Faults of an EMSP's ChargingProfiles Sender interface: its answers to results and to active profiles. */
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
