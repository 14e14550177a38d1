/** mod_tariffs: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { tariffs } from "../shared/objects/ListedKind.ts"
import { stampChecks } from "../shared/readings/stampChecks.ts"
import { tariffLinksChecks } from "./tariffLinks.ts"
import { tariffPartsChecks } from "./tariffParts.ts"
import { tariffPricesChecks } from "./tariffPrices.ts"
import { tariffPushesChecks } from "./tariffPushes.ts"
import { tariffsChecks } from "./tariffs.ts"
import { tariffWrites } from "./tariffWrites.ts"

/** Checks of tariffs, with the probes for each role of the partner. */
export const tariffsModule: CheckModule = {
  checks: [
    ...stampChecks(tariffs, { changed: "TAR-034", still: "TAR-035" }),
    ...tariffLinksChecks,
    ...tariffPartsChecks,
    ...tariffPricesChecks,
    ...tariffPushesChecks,
    ...tariffWrites.checks,
    ...tariffsChecks
  ],
  probes: (_, role) => (role === "EMSP" ? tariffWrites.probes : [])
}
