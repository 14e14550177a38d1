/** The suites: which checks apply to a version and a role, grouped by module, and the ones to begin with. */
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { CheckView, SuiteDetail } from "../../../schema/Suite.ts"
import type { Check, Scope } from "../model/Check.ts"
import { cdrLinksChecks } from "../modules/cdrs/cdrLinks.ts"
import { cdrMoneyChecks } from "../modules/cdrs/cdrMoney.ts"
import { cdrPlacesChecks } from "../modules/cdrs/cdrPlaces.ts"
import { cdrPushesChecks } from "../modules/cdrs/cdrPushes.ts"
import { cdrSessionsChecks } from "../modules/cdrs/cdrSessions.ts"
import { cdrsChecks } from "../modules/cdrs/cdrs.ts"
import { cdrTotalsChecks } from "../modules/cdrs/cdrTotals.ts"
import { cdrWriteChecks } from "../modules/cdrs/cdrWrites.ts"
import { chargeStoryChecks } from "../modules/charge/chargeStory.ts"
import { playedChargeChecks } from "../modules/charge/playedCharge.ts"
import { activeProfilesChecks } from "../modules/chargingprofiles/activeProfiles.ts"
import { chargingProfilesChecks } from "../modules/chargingprofiles/chargingProfiles.ts"
import { sentProfilesChecks } from "../modules/chargingprofiles/sentProfiles.ts"
import { cancellationsChecks } from "../modules/commands/cancellations.ts"
import { commandResultsChecks } from "../modules/commands/commandResults.ts"
import { commandsChecks } from "../modules/commands/commands.ts"
import { remoteStartsChecks } from "../modules/commands/remoteStarts.ts"
import { reservationsChecks } from "../modules/commands/reservations.ts"
import { secondPartyChecks } from "../modules/commands/secondParty.ts"
import { sentCommandsChecks } from "../modules/commands/sentCommands.ts"
import { sentResultsChecks } from "../modules/commands/sentResults.ts"
import { startedSessionsChecks } from "../modules/commands/startedSessions.ts"
import { unwantedResultsChecks } from "../modules/commands/unwantedResults.ts"
import { wrongCommandsChecks } from "../modules/commands/wrongCommands.ts"
import { credentialsChecks } from "../modules/credentials/credentials.ts"
import { firstRegistrationChecks } from "../modules/credentials/firstRegistration.ts"
import { registrationChecks } from "../modules/credentials/registration.ts"
import { renewingChecks } from "../modules/credentials/renewing.ts"
import { rotationChecks } from "../modules/credentials/rotation.ts"
import { theirRegistrationChecks } from "../modules/credentials/theirRegistration.ts"
import { hubClientsChecks } from "../modules/hubclientinfo/hubClients.ts"
import { locationHoursChecks } from "../modules/locations/locationHours.ts"
import { locationMarksChecks } from "../modules/locations/locationMarks.ts"
import { locationPartsChecks } from "../modules/locations/locationParts.ts"
import { locationPowerChecks } from "../modules/locations/locationPower.ts"
import { locationPublishingChecks } from "../modules/locations/locationPublishing.ts"
import { locationPushesChecks } from "../modules/locations/locationPushes.ts"
import { locationReadsChecks } from "../modules/locations/locationReads.ts"
import { locationsChecks } from "../modules/locations/locations.ts"
import { locationTariffsChecks } from "../modules/locations/locationTariffs.ts"
import { locationWriteChecks } from "../modules/locations/locationWrites.ts"
import { parkingPlacesChecks } from "../modules/locations/parkingPlaces.ts"
import { crawlingChecks } from "../modules/paging/crawling.ts"
import { listedObjectsChecks } from "../modules/paging/listedObjects.ts"
import { ourPagesChecks } from "../modules/paging/ourPages.ts"
import { pageLimitsChecks } from "../modules/paging/pageLimits.ts"
import { pagesChecks } from "../modules/paging/pages.ts"
import { pagingChecks } from "../modules/paging/paging.ts"
import { windowsChecks } from "../modules/paging/windows.ts"
import { paymentsChecks } from "../modules/payments/payments.ts"
import { completedSessionsChecks } from "../modules/sessions/completedSessions.ts"
import { preferencesChecks } from "../modules/sessions/preferences.ts"
import { sessionLinksChecks } from "../modules/sessions/sessionLinks.ts"
import { sessionPushesChecks } from "../modules/sessions/sessionPushes.ts"
import { sessionsChecks } from "../modules/sessions/sessions.ts"
import { sessionTimesChecks } from "../modules/sessions/sessionTimes.ts"
import { sessionWriteChecks } from "../modules/sessions/sessionWrites.ts"
import { tariffLinksChecks } from "../modules/tariffs/tariffLinks.ts"
import { tariffPartsChecks } from "../modules/tariffs/tariffParts.ts"
import { tariffPricesChecks } from "../modules/tariffs/tariffPrices.ts"
import { tariffPushesChecks } from "../modules/tariffs/tariffPushes.ts"
import { tariffsChecks } from "../modules/tariffs/tariffs.ts"
import { tariffWriteChecks } from "../modules/tariffs/tariffWrites.ts"
import { authorizeChecks } from "../modules/tokens/authorize.ts"
import { authorizeRequestsChecks } from "../modules/tokens/authorizeRequests.ts"
import { localStartsChecks } from "../modules/tokens/localStarts.ts"
import { sentTokensChecks } from "../modules/tokens/sentTokens.ts"
import { shownCardsChecks } from "../modules/tokens/shownCards.ts"
import { tokensChecks } from "../modules/tokens/tokens.ts"
import { tokenWriteChecks } from "../modules/tokens/tokenWrites.ts"
import { verdictPlacesChecks } from "../modules/tokens/verdictPlaces.ts"
import { callsChecks } from "../modules/transport/calls.ts"
import { encryptionChecks } from "../modules/transport/encryption.ts"
import { envelopeChecks } from "../modules/transport/envelopes.ts"
import { fieldTypesChecks } from "../modules/transport/fieldTypes.ts"
import { formsChecks } from "../modules/transport/forms.ts"
import { inboundChecks } from "../modules/transport/inbound.ts"
import { objectWritesChecks } from "../modules/transport/objectWrites.ts"
import { ourFaultsChecks } from "../modules/transport/ourFaults.ts"
import { routingChecks } from "../modules/transport/routing.ts"
import { transportChecks } from "../modules/transport/transport.ts"
import { wrongRequestsChecks } from "../modules/transport/wrongRequests.ts"
import { endpointsChecks } from "../modules/versions/endpoints.ts"
import { interfacesChecks } from "../modules/versions/interfaces.ts"
import { versionsChecks } from "../modules/versions/versions.ts"
import { core, smoke } from "./coreChecks.ts"
import { phaseOf } from "./stages.ts"

export interface Suite {
  readonly detail: SuiteDetail
  readonly checks: ReadonlyArray<Check>
  readonly scope: Scope
}

/** Modules in the order in which they are graded: what opens the door first. */
const moduleOrder = [
  "versions",
  "credentials",
  "transport",
  "paging",
  "locations",
  "sessions",
  "cdrs",
  "tariffs",
  "tokens",
  "commands",
  "chargingprofiles",
  "hubclientinfo",
  "payments"
]

/** Every check that there is, in the order of the catalogue. */
export const allChecks: ReadonlyArray<Check> = [
  ...versionsChecks,
  ...endpointsChecks,
  ...interfacesChecks,
  ...credentialsChecks,
  ...transportChecks,
  ...envelopeChecks,
  ...encryptionChecks,
  ...wrongRequestsChecks,
  ...routingChecks,
  ...formsChecks,
  ...fieldTypesChecks,
  ...objectWritesChecks,
  ...hubClientsChecks,
  ...inboundChecks,
  ...callsChecks,
  ...pagingChecks,
  ...crawlingChecks,
  ...pagesChecks,
  ...windowsChecks,
  ...listedObjectsChecks,
  ...pageLimitsChecks,
  ...locationsChecks,
  ...locationPartsChecks,
  ...locationMarksChecks,
  ...locationTariffsChecks,
  ...locationPublishingChecks,
  ...locationHoursChecks,
  ...locationPowerChecks,
  ...locationReadsChecks,
  ...parkingPlacesChecks,
  ...locationWriteChecks,
  ...locationPushesChecks,
  ...sessionsChecks,
  ...sessionTimesChecks,
  ...sessionLinksChecks,
  ...sessionWriteChecks,
  ...playedChargeChecks,
  ...preferencesChecks,
  ...sessionPushesChecks,
  ...completedSessionsChecks,
  ...cdrPushesChecks,
  ...chargeStoryChecks,
  ...cdrsChecks,
  ...cdrPlacesChecks,
  ...cdrTotalsChecks,
  ...cdrMoneyChecks,
  ...cdrLinksChecks,
  ...cdrSessionsChecks,
  ...cdrWriteChecks,
  ...tariffsChecks,
  ...tariffPricesChecks,
  ...tariffPartsChecks,
  ...tariffLinksChecks,
  ...tariffWriteChecks,
  ...tariffPushesChecks,
  ...tokensChecks,
  ...authorizeChecks,
  ...authorizeRequestsChecks,
  ...verdictPlacesChecks,
  ...registrationChecks,
  ...firstRegistrationChecks,
  ...theirRegistrationChecks,
  ...rotationChecks,
  ...renewingChecks,
  ...ourFaultsChecks,
  ...tokenWriteChecks,
  ...commandsChecks,
  ...commandResultsChecks,
  ...unwantedResultsChecks,
  ...wrongCommandsChecks,
  ...remoteStartsChecks,
  ...startedSessionsChecks,
  ...reservationsChecks,
  ...cancellationsChecks,
  ...secondPartyChecks,
  ...chargingProfilesChecks,
  ...activeProfilesChecks,
  ...sentCommandsChecks,
  ...sentProfilesChecks,
  ...sentResultsChecks,
  ...sentTokensChecks,
  ...ourPagesChecks,
  ...paymentsChecks,
  ...shownCardsChecks,
  ...localStartsChecks
].toSorted((a, b) => order(a) - order(b) || (a.id < b.id ? -1 : 1))

function order({ module }: Check): number {
  return moduleOrder.indexOf(module)
}

/** Are the objects of the version written down that the checks of a role need? */
const judgeable = ({ objects }: VersionProfile, role: Role) =>
  objects.Credentials !== undefined && (role !== "CPO" || objects.Location !== undefined)

const viewOf = (check: Check): CheckView => ({
  id: check.id,
  title: check.title,
  module: check.module,
  strength: check.strength,
  mode: check.mode,
  reference: check.reference,
  sends: check.sends,
  passes: check.passes
})

const modulesOf = (checks: ReadonlyArray<Check>) => [...new Set(checks.map(({ module }) => module))]

const suiteOf = (
  scope: Scope,
  part: string,
  text: { readonly name: string; readonly description: string },
  checks: ReadonlyArray<Check>
): Suite => ({
  scope,
  checks,
  detail: {
    id: `ocpi-${scope.profile.version}-${scope.role.toLowerCase()}-${part}`,
    name: `${scope.role} ${scope.profile.version}: ${text.name}`,
    description: text.description,
    ocpiVersion: scope.profile.version,
    theirRole: scope.role,
    modules: modulesOf(checks),
    checkCount: checks.length,
    mutating: checks.some(({ mode }) => mode === "MUT" || mode === "RISK"),
    checks: checks.map(viewOf)
  }
})

/** What a module's suite says of what it does to the partner. */
const effects = (checks: ReadonlyArray<Check>): string => {
  const risky = checks.filter((check) => phaseOf(check) === "risk").length
  const writes = checks.some((check) => phaseOf(check) === "write")
  return [
    writes ? "Writes objects whose ids begin with TST- and cleans them up." : "Only reads.",
    ...(risky === 0
      ? []
      : [`${risky} of its checks may end the registration: they are graded only when \`checks\` names them.`])
  ].join(" ")
}

const suitesFor = (scope: Scope): ReadonlyArray<Suite> => {
  const fitting = allChecks.filter(
    ({ roles, versions }) => roles.includes(scope.role) && versions.includes(scope.profile.version)
  )
  const checks = fitting.filter(({ first }) => first !== true)
  const among = (ids: ReadonlyArray<string>) => checks.filter(({ id }) => ids.includes(id))
  const part = (name: string, text: readonly [string, string], of: ReadonlyArray<Check>) =>
    of.length === 0 ? [] : [suiteOf(scope, name, { name: text[0], description: text[1] }, of)]
  return [
    ...part("core", ["read-only core", coreText], among(core)),
    ...part("full", ["everything", `Every rule, read, written and observed. ${effects(checks)}`], checks),
    ...part("smoke", ["smoke", smokeText], among(smoke)),
    ...part(
      registrationPart,
      ["first registration", registrationText],
      fitting.filter(({ first }) => first !== undefined)
    ),
    ...modulesOf(checks).flatMap((module) => {
      const own = checks.filter((check) => check.module === module)
      return part(module, [module, `Every rule about ${module}. ${effects(own)}`], own)
    })
  ]
}

const coreText =
  "First contact: discovery, credentials, transport, paging and what is served. Only reads; changes nothing at the partner."
const registrationPart = "registration"
const registrationText =
  "For a connection that still has the partner's Token A: tries what must not register, then registers. The connection is registered afterwards."
const smokeText =
  "Is it alive: versions, details, credentials and the first lists. Only reads; a few requests."

/** Is the suite about a first registration? It wants a connection that is not registered; all others want one that is. */
export const isFirstRegistration = (suiteId: string): boolean => suiteId.endsWith(`-${registrationPart}`)

/** All suites, older versions first. */
export const suites: ReadonlyArray<Suite> = versionNumbers
  .map(profileOf)
  .flatMap((profile) =>
    (["CPO", "EMSP"] as const)
      .filter((role) => judgeable(profile, role))
      .flatMap((role) => suitesFor({ profile, role }))
  )

export const suiteById = (id: string): Suite | undefined => suites.find(({ detail }) => detail.id === id)
