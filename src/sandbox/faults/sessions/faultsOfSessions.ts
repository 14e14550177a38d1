/** Every fault of sessions. */
import type { Fault } from "../Fault.ts"
import { preferencesFaults } from "./preferences.ts"
import { sessionDataFaults } from "./sessionData.ts"
import { sessionLinksFaults } from "./sessionLinks.ts"
import { sessionsFaults } from "./sessions.ts"
import { sessionWritesFaults } from "./sessionWrites.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfSessions: ReadonlyArray<Fault> = [
  ...preferencesFaults,
  ...sessionDataFaults,
  ...sessionLinksFaults,
  ...sessionWritesFaults,
  ...sessionsFaults
]
