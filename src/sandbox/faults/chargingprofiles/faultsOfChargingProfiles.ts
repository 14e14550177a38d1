/** Every fault of charging profiles. */
import type { Fault } from "../Fault.ts"
import { chargingProfilesFaults } from "./chargingProfiles.ts"
import { sentProfilesFaults } from "./sentProfiles.ts"

export const faultsOfChargingProfiles: ReadonlyArray<Fault> = [
  ...chargingProfilesFaults,
  ...sentProfilesFaults
]
