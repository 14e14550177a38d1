/** Every probe by its id. */

import type { Role } from "../../../schema/Connection.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { Probe } from "../Probe.ts"
import { afterwardsProbes } from "./afterwards.ts"
import { authorizeProbes } from "./authorize.ts"
import { cdrWriteProbes } from "./cdrWrites.ts"
import { changesProbe } from "./changes.ts"
import { cdrsProbes, sessionsProbes, tariffsProbes } from "./charging.ts"
import { chargingCallProbes } from "./chargingCalls.ts"
import { chargingProfileProbes } from "./chargingProfiles.ts"
import { firstRegistrationProbes } from "./firstRegistration.ts"
import { dateFormProbe, formProbes } from "./forms.ts"
import { hubClientProbes } from "./hubClients.ts"
import { invitedProbes } from "./invited.ts"
import { listProbes, listsOf } from "./lists.ts"
import { locationsProbes } from "./locations.ts"
import { locationWriteProbes } from "./locationWrites.ts"
import { objectWriteProbes } from "./objectWrites.ts"
import { ourFaultProbes } from "./ourFaults.ts"
import { pagingProbes } from "./paging.ts"
import { paymentsProbes } from "./payments.ts"
import { playedChargeProbes } from "./playedCharge.ts"
import { preferenceProbes } from "./preferences.ts"
import { registrationProbes } from "./registration.ts"
import { remoteStartProbes } from "./remoteStarts.ts"
import { renewingProbes, silenceProbe } from "./renewing.ts"
import { reservingProbes } from "./reserving.ts"
import { secondPartyProbes } from "./secondParty.ts"
import { sentProfilesProbes } from "./sentProfiles.ts"
import { sentResultsProbes } from "./sentResults.ts"
import { sessionWriteProbes } from "./sessionWrites.ts"
import { shownCardsProbes } from "./shownCards.ts"
import { tariffWriteProbes } from "./tariffWrites.ts"
import { tokenWriteProbes } from "./tokenWrites.ts"
import { unlockProbes } from "./unlocking.ts"
import { verdictPlacesProbes } from "./verdictPlaces.ts"
import { versionsProbes } from "./versions.ts"
import { wrongCommandProbes } from "./wrongCommands.ts"
import { wrongRequestProbes } from "./wrongRequests.ts"

const commandProbes: ReadonlyArray<Probe> = [
  ...wrongCommandProbes,
  ...unlockProbes,
  ...remoteStartProbes,
  ...reservingProbes,
  ...secondPartyProbes,
  ...chargingProfileProbes
]

/** The probes of a version and a role. */
export const probesOf = (profile: VersionProfile, role: Role): ReadonlyMap<string, Probe> =>
  new Map(
    [
      ...versionsProbes,
      ...renewingProbes,
      ...registrationProbes,
      silenceProbe,
      ...ourFaultProbes,
      ...firstRegistrationProbes,
      ...invitedProbes,
      ...(role === "EMSP" ? sentResultsProbes : []),
      ...(role === "EMSP" ? sentProfilesProbes : []),
      ...(role === "EMSP" ? verdictPlacesProbes : []),
      ...(role === "CPO" ? paymentsProbes : []),
      ...(role === "CPO" ? shownCardsProbes : []),
      ...wrongRequestProbes,
      ...formProbes,
      ...objectWriteProbes,
      ...hubClientProbes,
      ...listsOf(profile, role).flatMap(listProbes),
      ...listsOf(profile, role).flatMap(pagingProbes),
      ...listsOf(profile, role).map(dateFormProbe),
      ...listsOf(profile, role).map(changesProbe),
      ...(role === "CPO"
        ? [...locationsProbes, ...sessionsProbes, ...cdrsProbes, ...tariffsProbes]
        : authorizeProbes),
      ...(role === "EMSP" ? [...sessionWriteProbes, ...cdrWriteProbes, ...playedChargeProbes] : []),
      ...(role === "CPO" ? afterwardsProbes : []),
      ...(role === "EMSP" ? [...locationWriteProbes, ...tariffWriteProbes] : []),
      ...(role === "CPO" ? tokenWriteProbes : []),
      ...(role === "CPO" ? [...commandProbes, ...preferenceProbes, ...chargingCallProbes] : [])
    ].map((probe) => [probe.id, probe] as const)
  )
