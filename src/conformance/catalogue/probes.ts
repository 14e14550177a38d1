/** Every probe by its id. */

import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { Probe } from "../model/Probe.ts"
import { cdrWriteProbes } from "../modules/cdrs/cdrWritesProbes.ts"
import { chargingCallProbes } from "../modules/charge/chargingCalls.ts"
import { cdrsProbes, sessionsProbes, tariffsProbes } from "../modules/charge/chargingProbes.ts"
import { playedChargeProbes } from "../modules/charge/playedChargeProbes.ts"
import { chargingProfileProbes } from "../modules/chargingprofiles/chargingProfilesProbes.ts"
import { sentProfilesProbes } from "../modules/chargingprofiles/sentProfilesProbes.ts"
import { remoteStartProbes } from "../modules/commands/remoteStartsProbes.ts"
import { reservingProbes } from "../modules/commands/reservingProbes.ts"
import { secondPartyProbes } from "../modules/commands/secondPartyProbes.ts"
import { sentResultsProbes } from "../modules/commands/sentResultsProbes.ts"
import { unlockProbes } from "../modules/commands/unlockingProbes.ts"
import { wrongCommandProbes } from "../modules/commands/wrongCommandsProbes.ts"
import { firstRegistrationProbes } from "../modules/credentials/firstRegistrationProbes.ts"
import { invitedProbes } from "../modules/credentials/invitedProbes.ts"
import { registrationProbes } from "../modules/credentials/registrationProbes.ts"
import { renewingProbes, silenceProbe } from "../modules/credentials/renewingProbes.ts"
import { hubClientProbes } from "../modules/hubclientinfo/hubClientsProbes.ts"
import { afterwardsProbes } from "../modules/locations/afterwardsProbes.ts"
import { locationsProbes } from "../modules/locations/locationsProbes.ts"
import { locationWriteProbes } from "../modules/locations/locationWritesProbes.ts"
import { changesProbe } from "../modules/paging/changesProbes.ts"
import { pagingProbes } from "../modules/paging/pagingProbes.ts"
import { paymentsProbes } from "../modules/payments/paymentsProbes.ts"
import { preferenceProbes } from "../modules/sessions/preferencesProbes.ts"
import { sessionWriteProbes } from "../modules/sessions/sessionWritesProbes.ts"
import { listProbes, listsOf } from "../modules/shared/lists.ts"
import { tariffWriteProbes } from "../modules/tariffs/tariffWritesProbes.ts"
import { authorizeProbes } from "../modules/tokens/authorizeProbes.ts"
import { shownCardsProbes } from "../modules/tokens/shownCardsProbes.ts"
import { tokenWriteProbes } from "../modules/tokens/tokenWritesProbes.ts"
import { verdictPlacesProbes } from "../modules/tokens/verdictPlacesProbes.ts"
import { dateFormProbe, formProbes } from "../modules/transport/formsProbes.ts"
import { objectWriteProbes } from "../modules/transport/objectWritesProbes.ts"
import { ourFaultProbes } from "../modules/transport/ourFaultsProbes.ts"
import { wrongRequestProbes } from "../modules/transport/wrongRequestsProbes.ts"
import { versionsProbes } from "../modules/versions/versionsProbes.ts"

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
