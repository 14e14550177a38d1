/** mod_charging_profiles: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { activeProfilesChecks } from "./activeProfiles.ts"
import { chargingProfilesChecks } from "./chargingProfiles.ts"
import { chargingProfileProbes } from "./chargingProfilesProbes.ts"
import { sentProfilesChecks } from "./sentProfiles.ts"
import { sentProfilesProbes } from "./sentProfilesProbes.ts"

/** Checks of charging profiles, with the probes for each role of the partner. */
export const chargingprofilesModule: CheckModule = {
  checks: [...activeProfilesChecks, ...chargingProfilesChecks, ...sentProfilesChecks],
  probes: (_, role) => [...(role === "CPO" ? [...chargingProfileProbes] : [...sentProfilesProbes])]
}
