/** A charge as it is told and listed: sessions and CDRs together: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { chargeStoryChecks } from "./chargeStory.ts"
import { chargingCallProbes } from "./chargingCalls.ts"
import { cdrsProbes, sessionsProbes, tariffsProbes } from "./chargingProbes.ts"
import { playedChargeChecks } from "./playedCharge.ts"
import { playedChargeProbes } from "./playedChargeProbes.ts"
import { publishedSiteProbes } from "./publishedSite.ts"

/** Checks of whole charges, with the probes for each role of the partner. */
export const chargeModule: CheckModule = {
  checks: [...chargeStoryChecks, ...playedChargeChecks],
  probes: (_, role) => [
    ...(role === "CPO"
      ? [...chargingCallProbes, ...cdrsProbes, ...sessionsProbes, ...tariffsProbes]
      : [...playedChargeProbes, ...publishedSiteProbes])
  ]
}
