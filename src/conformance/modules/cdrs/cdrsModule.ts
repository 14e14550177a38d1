/** mod_cdrs: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { cdrLinksChecks } from "./cdrLinks.ts"
import { cdrMoneyChecks } from "./cdrMoney.ts"
import { cdrPlacesChecks } from "./cdrPlaces.ts"
import { cdrPushesChecks } from "./cdrPushes.ts"
import { cdrSessionsChecks } from "./cdrSessions.ts"
import { cdrsChecks } from "./cdrs.ts"
import { cdrTotalsChecks } from "./cdrTotals.ts"
import { cdrWriteChecks } from "./cdrWrites.ts"
import { cdrWriteProbes } from "./cdrWritesProbes.ts"

export const cdrsModule: CheckModule = {
  checks: [
    ...cdrLinksChecks,
    ...cdrMoneyChecks,
    ...cdrPlacesChecks,
    ...cdrPushesChecks,
    ...cdrSessionsChecks,
    ...cdrTotalsChecks,
    ...cdrWriteChecks,
    ...cdrsChecks
  ],
  probes: (_, role) => [...(role === "EMSP" ? [...cdrWriteProbes] : [])]
}
