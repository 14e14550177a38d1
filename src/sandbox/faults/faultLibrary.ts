/** Every fault that a sandbox partner can be given. */
import { authorizeFaults } from "./authorize.ts"
import { callsFaults } from "./calls.ts"
import { capabilitiesFaults } from "./capabilities.ts"
import { catalogueFaults } from "./catalogues.ts"
import { cdrLinksFaults } from "./cdrLinks.ts"
import { cdrMoneyFaults } from "./cdrMoney.ts"
import { cdrsFaults } from "./cdrs.ts"
import { cdrWritesFaults } from "./cdrWrites.ts"
import { chargingProfilesFaults } from "./chargingProfiles.ts"
import { chargingPushesFaults } from "./chargingPushes.ts"
import { commandCareFaults } from "./commandCare.ts"
import { commandsFaults } from "./commands.ts"
import { commandWordsFaults } from "./commandWords.ts"
import { credentialsFaults } from "./credentials.ts"
import { cutOffFaults } from "./cutOff.ts"
import type { Fault } from "./Fault.ts"
import { fieldsFaults } from "./fields.ts"
import { firstRegistrationFaults } from "./firstRegistration.ts"
import { listAnswersFaults } from "./listAnswers.ts"
import { locationRulesFaults } from "./locationRules.ts"
import { locationsFaults } from "./locations.ts"
import { locationWritesFaults } from "./locationWrites.ts"
import { objectWritesFaults } from "./objectWrites.ts"
import { pagesFaults } from "./pages.ts"
import { pagingFaults } from "./paging.ts"
import { paymentsFaults } from "./payments.ts"
import { placePushesFaults } from "./placePushes.ts"
import { placesFaults } from "./places.ts"
import { preferencesFaults } from "./preferences.ts"
import { receiversFaults } from "./receivers.ts"
import { registrationFaults } from "./registration.ts"
import { reservationsFaults } from "./reservations.ts"
import { routingFaults } from "./routing.ts"
import { sentCommandsFaults } from "./sentCommands.ts"
import { sentProfilesFaults } from "./sentProfiles.ts"
import { sentResultsFaults } from "./sentResults.ts"
import { sessionDataFaults } from "./sessionData.ts"
import { sessionLinksFaults } from "./sessionLinks.ts"
import { sessionsFaults } from "./sessions.ts"
import { sessionWritesFaults } from "./sessionWrites.ts"
import { shownCardsFaults } from "./shownCards.ts"
import { strangersFaults } from "./strangers.ts"
import { tariffPartsFaults } from "./tariffParts.ts"
import { tariffsFaults } from "./tariffs.ts"
import { tariffWritesFaults } from "./tariffWrites.ts"
import { theirRegistrationFaults } from "./theirRegistration.ts"
import { tokensFaults } from "./tokens.ts"
import { tokenWritesFaults } from "./tokenWrites.ts"
import { transportFaults } from "./transport.ts"
import { versionsFaults } from "./versions.ts"
import { windowsFaults } from "./windows.ts"
import { wrongRequestsFaults } from "./wrongRequests.ts"

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
