/** Every fault of commands. */
import type { Fault } from "../Fault.ts"
import { capabilitiesFaults } from "./capabilities.ts"
import { commandCareFaults } from "./commandCare.ts"
import { commandsFaults } from "./commands.ts"
import { commandWordsFaults } from "./commandWords.ts"
import { otherEmspsFaults } from "./otherEmsps.ts"
import { reservationsFaults } from "./reservations.ts"
import { sentCommandsFaults } from "./sentCommands.ts"
import { sentResultsFaults } from "./sentResults.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfCommands: ReadonlyArray<Fault> = [
  ...capabilitiesFaults,
  ...commandCareFaults,
  ...commandWordsFaults,
  ...commandsFaults,
  ...reservationsFaults,
  ...sentCommandsFaults,
  ...sentResultsFaults,
  ...otherEmspsFaults
]
