/** Every fault of charging profiles. */
import type { Fault } from "../Fault.ts"
import { chargingProfilesFaults } from "./chargingProfiles.ts"
import { sentProfilesFaults } from "./sentProfiles.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfChargingProfiles: ReadonlyArray<Fault> = [
  ...chargingProfilesFaults,
  ...sentProfilesFaults
]
