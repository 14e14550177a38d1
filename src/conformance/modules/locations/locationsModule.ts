/** mod_locations: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { locations } from "../shared/objects/ListedKind.ts"
import { stampChecks } from "../shared/readings/stampChecks.ts"
import { afterwardsProbes } from "./afterwardsProbes.ts"
import { locationHoursChecks } from "./locationHours.ts"
import { locationMarksChecks } from "./locationMarks.ts"
import { locationPartsChecks } from "./locationParts.ts"
import { locationPowerChecks } from "./locationPower.ts"
import { locationPublishingChecks } from "./locationPublishing.ts"
import { locationPushesChecks } from "./locationPushes.ts"
import { locationReadsChecks } from "./locationReads.ts"
import { locationsChecks } from "./locations.ts"
import { locationsProbes } from "./locationsProbes.ts"
import { locationTariffsChecks, locationTariffsProbes } from "./locationTariffs.ts"
import { lostLocationsChecks, lostLocationsProbes } from "./lostLocations.ts"
import { parkingPlacesChecks } from "./parkingPlaces.ts"
import { locationWrites } from "./receiver/locationWrites.ts"

/** Checks of locations, with the probes for each role of the partner. */
export const locationsModule: CheckModule = {
  checks: [
    ...locationHoursChecks,
    ...locationMarksChecks,
    ...locationPartsChecks,
    ...locationPowerChecks,
    ...locationPublishingChecks,
    ...locationPushesChecks,
    ...locationReadsChecks,
    ...locationTariffsChecks,
    ...locationWrites.checks,
    ...locationsChecks,
    ...lostLocationsChecks,
    ...parkingPlacesChecks,
    ...stampChecks(locations, { changed: "LOC-049", still: "LOC-050" })
  ],
  probes: (_, role) => [
    ...(role === "CPO"
      ? [...afterwardsProbes, ...locationsProbes, ...locationTariffsProbes, ...lostLocationsProbes]
      : locationWrites.probes)
  ]
}
