/** A partner that gives one answer to each request of a module and method. */
import type { OcpiCall } from "../../../src/ocpi/OcpiClient.ts"
import type { FixedAnswer } from "../../support/parties/quickWorld.ts"

/** Method and module of a request of ours, such as `POST commands`. */
export const kindOf = ({ method, module }: OcpiCall): string => `${method} ${module}`

/** A list without objects. */
export const emptyList: FixedAnswer = {
  httpStatus: 200,
  statusCode: 1000,
  data: [],
  headers: { "x-total-count": "0", "x-limit": "50" }
}

/** A CommandResponse, or a ChargingProfileResponse. */
export const response = (result: string): FixedAnswer => ({
  httpStatus: 200,
  statusCode: 1000,
  data: { result, timeout: 30 }
})

/** Is the request one of those that get the answer? An empty list is no answer to a request for one object. */
export const gets = (answer: FixedAnswer, kind: string, call: OcpiCall): boolean =>
  kindOf(call) === kind &&
  (answer !== emptyList || new URL(call.url).pathname.split("/").at(-1) === call.module)
