/** mod_cdrs: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { cdrLinksChecks, cdrLinksProbes } from "./cdrLinks.ts"
import { cdrMoneyChecks } from "./cdrMoney.ts"
import { cdrPlacesChecks } from "./cdrPlaces.ts"
import { cdrPushesChecks } from "./cdrPushes.ts"
import { cdrSessionsChecks, cdrSessionsProbes } from "./cdrSessions.ts"
import { cdrsChecks } from "./cdrs.ts"
import { cdrTotalsChecks } from "./cdrTotals.ts"
import { cdrWrites } from "./cdrWrites.ts"

/** Checks of CDRs, with the probes for each role of the partner. */
export const cdrsModule: CheckModule = {
  checks: [
    ...cdrLinksChecks,
    ...cdrMoneyChecks,
    ...cdrPlacesChecks,
    ...cdrPushesChecks,
    ...cdrSessionsChecks,
    ...cdrTotalsChecks,
    ...cdrWrites.checks,
    ...cdrsChecks
  ],
  probes: (_, role) => (role === "EMSP" ? cdrWrites.probes : [...cdrLinksProbes, ...cdrSessionsProbes])
}
