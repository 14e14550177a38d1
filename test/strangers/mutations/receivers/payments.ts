/** Terminals and financial advice confirmations at a CPO (mod_payments). */
import { type At, at, both, instead, keeping, refusing, saying, taking, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const among =
  (list: string): At =>
  (_, { below }) =>
    below[0] === list
const terminals = among("terminals")
const confirmations = among("financial-advice-confirmations")

/** Rows of payments. */
export const paymentFaults: ReadonlyArray<Mutation> = withAll({ roles: ["CPO"], versions: "2.3.0" }, [
  fault("payments.terminal-refused", "PAY-002", refusing(both(at("payments", "POST"), terminals))),
  fault("payments.terminal-in-part", "PAY-002", keeping("payments", without("customer_reference"))),
  fault(
    "payments.terminal-not-found",
    "PAY-002",
    instead(both(at("payments", "GET"), terminals), { http: 404, code: 2003 })
  ),
  fault("payments.confirmation-in-part", "PAY-004", keeping("payments", without("total_costs"))),
  fault(
    "payments.confirmation-not-found",
    "PAY-004",
    instead(both(at("payments", "GET"), confirmations), { http: 404, code: 2003 })
  ),
  fault(
    "payments.unproven-confirmations",
    "PAY-004",
    taking(both(at("payments", "POST"), saying(/-LACKING"/)))
  )
])
