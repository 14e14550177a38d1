/** Every fault that a sandbox partner can be given. */

import { behindHubFaults } from "./behindHub.ts"
import { catalogueFaults } from "./catalogues.ts"
import { faultsOfCdrs } from "./cdrs/faultsOfCdrs.ts"
import { faultsOfChargingProfiles } from "./chargingprofiles/faultsOfChargingProfiles.ts"
import { faultsOfCommands } from "./commands/faultsOfCommands.ts"
import { faultsOfCredentials } from "./credentials/faultsOfCredentials.ts"
import type { Fault } from "./Fault.ts"
import { faultsOfLocations } from "./locations/faultsOfLocations.ts"
import { faultsOfPaging } from "./paging/faultsOfPaging.ts"
import { paymentsFaults } from "./payments.ts"
import { receiversFaults } from "./receivers.ts"
import { faultsOfSessions } from "./sessions/faultsOfSessions.ts"
import { stampsFaults } from "./stamps.ts"
import { faultsOfTariffs } from "./tariffs/faultsOfTariffs.ts"
import { faultsOfTokens } from "./tokens/faultsOfTokens.ts"
import { faultsOfTransport } from "./transport/faultsOfTransport.ts"
import { versionsFaults } from "./versions.ts"

/** Every fault, in the order in which GET /sandbox/faults lists them. */
export const faultLibrary: ReadonlyArray<Fault> = [
  ...versionsFaults,
  ...faultsOfCredentials,
  ...faultsOfTransport,
  ...faultsOfPaging,
  ...faultsOfLocations,
  ...faultsOfSessions,
  ...faultsOfCdrs,
  ...faultsOfTariffs,
  ...faultsOfTokens,
  ...faultsOfCommands,
  ...faultsOfChargingProfiles,
  ...catalogueFaults,
  ...paymentsFaults,
  ...receiversFaults,
  ...behindHubFaults,
  ...stampsFaults
]

/** Every fault by its id. */
export const faultsById: ReadonlyMap<string, Fault> = new Map(faultLibrary.map((fault) => [fault.id, fault]))
