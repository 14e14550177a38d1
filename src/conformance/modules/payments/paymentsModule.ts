/** mod_payments: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { paymentsChecks } from "./payments.ts"
import { paymentsProbes } from "./paymentsProbes.ts"

/** Checks of payments, with the probes for each role of the partner. */
export const paymentsModule: CheckModule = {
  checks: [...paymentsChecks],
  probes: (_, role) => [...(role === "CPO" ? [...paymentsProbes] : [])]
}
