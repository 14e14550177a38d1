/** Faults of a CPO that hears from payment terminals. */
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { isObject, objectIn } from "../../findings/json.ts"
import type { OcpiRequest } from "../../party/wire/Request.ts"
import { without } from "./edits.ts"
import { cpo, type Fault } from "./Fault.ts"
import { aboutModule, editData, editEnvelope, jsonOf, when } from "./replies.ts"

const base = {
  module: "payments",
  versions: versionsWhere(({ modules }) => modules.includes("payments")),
  roles: cpo,
  strength: "must"
} as const

const about = (method: string, objects: string) => (request: OcpiRequest) =>
  aboutModule("payments")(request) && request.method === method && request.path.includes(objects)

export const paymentsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "payments.terminal-in-part",
    description: "Forgets the reference of a payment terminal",
    caughtBy: ["PAY-002"],
    behaviour: {
      reply: when(
        about("GET", "terminals"),
        editData((data) => (isObject(data) ? without("reference")(data) : data))
      )
    }
  },
  {
    ...base,
    id: "payments.unproven-confirmations",
    description: "Takes confirmations of payments that have no receipt",
    caughtBy: ["PAY-004"],
    behaviour: {
      reply: when(about("POST", "financial-advice-confirmations"), (request, reply) =>
        objectIn(jsonOf(reply))["status_code"] === ocpiStatus.invalidParameters
          ? editEnvelope((envelope) => ({ ...envelope, status_code: ocpiStatus.success }))(request, reply)
          : reply
      )
    }
  }
]
