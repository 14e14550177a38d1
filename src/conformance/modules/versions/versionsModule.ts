/** Version information (version_information_endpoint): its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { endpointsChecks } from "./endpoints.ts"
import { interfacesChecks } from "./interfaces.ts"
import { otherModulesChecks } from "./otherModules.ts"
import { versionsChecks } from "./versions.ts"
import { versionsProbes } from "./versionsProbes.ts"

/** Checks of versions, with the probes that they need. */
export const versionsModule: CheckModule = {
  checks: [...endpointsChecks, ...interfacesChecks, ...otherModulesChecks, ...versionsChecks],
  probes: () => [...versionsProbes]
}
