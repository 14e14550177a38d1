/** Every fault that a sandbox partner can be given. */

import { catalogueFaults } from "./catalogues.ts"
import { cdrLinksFaults } from "./cdrs/cdrLinks.ts"
import { cdrMoneyFaults } from "./cdrs/cdrMoney.ts"
import { cdrsFaults } from "./cdrs/cdrs.ts"
import { cdrWritesFaults } from "./cdrs/cdrWrites.ts"
import { chargingPushesFaults } from "./cdrs/chargingPushes.ts"
import { chargingProfilesFaults } from "./chargingprofiles/chargingProfiles.ts"
import { sentProfilesFaults } from "./chargingprofiles/sentProfiles.ts"
import { capabilitiesFaults } from "./commands/capabilities.ts"
import { commandCareFaults } from "./commands/commandCare.ts"
import { commandsFaults } from "./commands/commands.ts"
import { commandWordsFaults } from "./commands/commandWords.ts"
import { reservationsFaults } from "./commands/reservations.ts"
import { sentCommandsFaults } from "./commands/sentCommands.ts"
import { sentResultsFaults } from "./commands/sentResults.ts"
import { strangersFaults } from "./commands/strangers.ts"
import { credentialsFaults } from "./credentials/credentials.ts"
import { firstRegistrationFaults } from "./credentials/firstRegistration.ts"
import { registrationFaults } from "./credentials/registration.ts"
import { theirRegistrationFaults } from "./credentials/theirRegistration.ts"
import type { Fault } from "./Fault.ts"
import { locationRulesFaults } from "./locations/locationRules.ts"
import { locationsFaults } from "./locations/locations.ts"
import { locationWritesFaults } from "./locations/locationWrites.ts"
import { placePushesFaults } from "./locations/placePushes.ts"
import { placesFaults } from "./locations/places.ts"
import { pagesFaults } from "./paging/pages.ts"
import { pagingFaults } from "./paging/paging.ts"
import { windowsFaults } from "./paging/windows.ts"
import { paymentsFaults } from "./payments.ts"
import { receiversFaults } from "./receivers.ts"
import { preferencesFaults } from "./sessions/preferences.ts"
import { sessionDataFaults } from "./sessions/sessionData.ts"
import { sessionLinksFaults } from "./sessions/sessionLinks.ts"
import { sessionsFaults } from "./sessions/sessions.ts"
import { sessionWritesFaults } from "./sessions/sessionWrites.ts"
import { tariffPartsFaults } from "./tariffs/tariffParts.ts"
import { tariffsFaults } from "./tariffs/tariffs.ts"
import { tariffWritesFaults } from "./tariffs/tariffWrites.ts"
import { authorizeFaults } from "./tokens/authorize.ts"
import { shownCardsFaults } from "./tokens/shownCards.ts"
import { tokensFaults } from "./tokens/tokens.ts"
import { tokenWritesFaults } from "./tokens/tokenWrites.ts"
import { callsFaults } from "./transport/calls.ts"
import { cutOffFaults } from "./transport/cutOff.ts"
import { fieldsFaults } from "./transport/fields.ts"
import { listAnswersFaults } from "./transport/listAnswers.ts"
import { objectWritesFaults } from "./transport/objectWrites.ts"
import { routingFaults } from "./transport/routing.ts"
import { transportFaults } from "./transport/transport.ts"
import { wrongRequestsFaults } from "./transport/wrongRequests.ts"
import { versionsFaults } from "./versions.ts"

export const faultLibrary: ReadonlyArray<Fault> = [
  ...versionsFaults,
  ...credentialsFaults,
  ...registrationFaults,
  ...firstRegistrationFaults,
  ...theirRegistrationFaults,
  ...cutOffFaults,
  ...transportFaults,
  ...wrongRequestsFaults,
  ...routingFaults,
  ...fieldsFaults,
  ...objectWritesFaults,
  ...callsFaults,
  ...pagingFaults,
  ...pagesFaults,
  ...windowsFaults,
  ...locationsFaults,
  ...placesFaults,
  ...locationRulesFaults,
  ...placePushesFaults,
  ...locationWritesFaults,
  ...tariffWritesFaults,
  ...catalogueFaults,
  ...tariffsFaults,
  ...tokensFaults,
  ...tokenWritesFaults,
  ...commandsFaults,
  ...commandWordsFaults,
  ...commandCareFaults,
  ...capabilitiesFaults,
  ...reservationsFaults,
  ...strangersFaults,
  ...sentCommandsFaults,
  ...sentProfilesFaults,
  ...paymentsFaults,
  ...shownCardsFaults,
  ...sentResultsFaults,
  ...chargingProfilesFaults,
  ...sessionsFaults,
  ...sessionDataFaults,
  ...cdrsFaults,
  ...listAnswersFaults,
  ...sessionLinksFaults,
  ...sessionWritesFaults,
  ...preferencesFaults,
  ...chargingPushesFaults,
  ...cdrLinksFaults,
  ...cdrWritesFaults,
  ...cdrMoneyFaults,
  ...tariffPartsFaults,
  ...authorizeFaults,
  ...receiversFaults
]

export const faultsById: ReadonlyMap<string, Fault> = new Map(faultLibrary.map((fault) => [fault.id, fault]))
