/** Every fault of envelope, headers, routing and requests. */
import type { Fault } from "../Fault.ts"
import { callsFaults } from "./calls.ts"
import { cutOffFaults } from "./cutOff.ts"
import { fieldsFaults } from "./fields.ts"
import { listAnswersFaults } from "./listAnswers.ts"
import { objectWritesFaults } from "./objectWrites.ts"
import { routingFaults } from "./routing.ts"
import { transportFaults } from "./transport.ts"
import { wrongRequestsFaults } from "./wrongRequests.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfTransport: ReadonlyArray<Fault> = [
  ...callsFaults,
  ...cutOffFaults,
  ...fieldsFaults,
  ...listAnswersFaults,
  ...objectWritesFaults,
  ...routingFaults,
  ...transportFaults,
  ...wrongRequestsFaults
]
