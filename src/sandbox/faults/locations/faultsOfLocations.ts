/** Every fault of locations. */
import type { Fault } from "../Fault.ts"
import { locationRulesFaults } from "./locationRules.ts"
import { locationsFaults } from "./locations.ts"
import { locationWritesFaults } from "./locationWrites.ts"
import { placePushesFaults } from "./placePushes.ts"
import { placesFaults } from "./places.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfLocations: ReadonlyArray<Fault> = [
  ...locationRulesFaults,
  ...locationWritesFaults,
  ...locationsFaults,
  ...placePushesFaults,
  ...placesFaults
]
