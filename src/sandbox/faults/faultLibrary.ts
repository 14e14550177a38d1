/** Every fault that a sandbox partner can be given. */
import { catalogueFaults } from "./catalogues.ts"
import { chargingFaults } from "./charging.ts"
import { credentialsFaults } from "./credentials.ts"
import type { Fault } from "./Fault.ts"
import { locationsFaults } from "./locations.ts"
import { transportFaults } from "./transport.ts"
import { versionsFaults } from "./versions.ts"

export const faultLibrary: ReadonlyArray<Fault> = [
  ...versionsFaults,
  ...credentialsFaults,
  ...transportFaults,
  ...locationsFaults,
  ...catalogueFaults,
  ...chargingFaults
]

export const faultsById: ReadonlyMap<string, Fault> = new Map(faultLibrary.map((fault) => [fault.id, fault]))
