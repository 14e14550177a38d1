/** Every fault that a sandbox partner can be given. */
import { catalogueFaults } from "./catalogues.ts"
import { commandsFaults } from "./commands.ts"
import { credentialsFaults } from "./credentials.ts"
import type { Fault } from "./Fault.ts"
import { locationsFaults } from "./locations.ts"
import { pagingFaults } from "./paging.ts"
import { sessionsFaults } from "./sessions.ts"
import { transportFaults } from "./transport.ts"
import { versionsFaults } from "./versions.ts"

export const faultLibrary: ReadonlyArray<Fault> = [
  ...versionsFaults,
  ...credentialsFaults,
  ...transportFaults,
  ...pagingFaults,
  ...locationsFaults,
  ...catalogueFaults,
  ...commandsFaults,
  ...sessionsFaults
]

export const faultsById: ReadonlyMap<string, Fault> = new Map(faultLibrary.map((fault) => [fault.id, fault]))
