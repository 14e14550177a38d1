/** Faults of an EMSP that hears of the charging profiles that it has asked for. */
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

export const sentProfilesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "chargingprofiles.results-with-data",
    description: "Answers the results of its requests about charging profiles with data",
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
    description: "Refuses to hear which charging profile is active",
    caughtBy: ["CP-102"],
    behaviour: {
      reply: when(
        sent("PUT"),
        editEnvelope((envelope) => ({ ...envelope, status_code: ocpiStatus.clientError }))
      )
    }
  }
]
