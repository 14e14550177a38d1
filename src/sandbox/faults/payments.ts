/** Faults of a CPO that serves the payments module to payment terminals. */
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

/** Faults in how a CPO reads back terminals and takes financial advice confirmations (payments module). */
export const paymentsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "payments.terminal-in-part",
    description: "Leaves the reference out of a payment terminal that is read back",
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
    description: "Accepts financial advice confirmations without a receipt",
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
