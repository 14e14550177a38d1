/** The suites: which checks apply to a version and a role, grouped by module, and the ones to begin with. */
import type { Role } from "../../schema/Connection.ts"
import type { VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import type { CheckView, SuiteDetail } from "../../schema/Suite.ts"
import type { Check, Scope } from "./Check.ts"
import { activeProfilesChecks } from "./checks/activeProfiles.ts"
import { authorizeChecks } from "./checks/authorize.ts"
import { authorizeRequestsChecks } from "./checks/authorizeRequests.ts"
import { callsChecks } from "./checks/calls.ts"
import { cancellationsChecks } from "./checks/cancellations.ts"
import { cdrLinksChecks } from "./checks/cdrLinks.ts"
import { cdrMoneyChecks } from "./checks/cdrMoney.ts"
import { cdrPlacesChecks } from "./checks/cdrPlaces.ts"
import { cdrPushesChecks } from "./checks/cdrPushes.ts"
import { cdrSessionsChecks } from "./checks/cdrSessions.ts"
import { cdrsChecks } from "./checks/cdrs.ts"
import { cdrTotalsChecks } from "./checks/cdrTotals.ts"
import { cdrWriteChecks } from "./checks/cdrWrites.ts"
import { chargeStoryChecks } from "./checks/chargeStory.ts"
import { chargingProfilesChecks } from "./checks/chargingProfiles.ts"
import { commandResultsChecks } from "./checks/commandResults.ts"
import { commandsChecks } from "./checks/commands.ts"
import { completedSessionsChecks } from "./checks/completedSessions.ts"
import { crawlingChecks } from "./checks/crawling.ts"
import { credentialsChecks } from "./checks/credentials.ts"
import { encryptionChecks } from "./checks/encryption.ts"
import { endpointsChecks } from "./checks/endpoints.ts"
import { envelopeChecks } from "./checks/envelopes.ts"
import { fieldTypesChecks } from "./checks/fieldTypes.ts"
import { firstRegistrationChecks } from "./checks/firstRegistration.ts"
import { formsChecks } from "./checks/forms.ts"
import { hubClientsChecks } from "./checks/hubClients.ts"
import { inboundChecks } from "./checks/inbound.ts"
import { interfacesChecks } from "./checks/interfaces.ts"
import { listedObjectsChecks } from "./checks/listedObjects.ts"
import { localStartsChecks } from "./checks/localStarts.ts"
import { locationHoursChecks } from "./checks/locationHours.ts"
import { locationMarksChecks } from "./checks/locationMarks.ts"
import { locationPartsChecks } from "./checks/locationParts.ts"
import { locationPowerChecks } from "./checks/locationPower.ts"
import { locationPublishingChecks } from "./checks/locationPublishing.ts"
import { locationPushesChecks } from "./checks/locationPushes.ts"
import { locationReadsChecks } from "./checks/locationReads.ts"
import { locationsChecks } from "./checks/locations.ts"
import { locationTariffsChecks } from "./checks/locationTariffs.ts"
import { locationWriteChecks } from "./checks/locationWrites.ts"
import { objectWritesChecks } from "./checks/objectWrites.ts"
import { ourFaultsChecks } from "./checks/ourFaults.ts"
import { ourPagesChecks } from "./checks/ourPages.ts"
import { pageLimitsChecks } from "./checks/pageLimits.ts"
import { pagesChecks } from "./checks/pages.ts"
import { pagingChecks } from "./checks/paging.ts"
import { parkingPlacesChecks } from "./checks/parkingPlaces.ts"
import { paymentsChecks } from "./checks/payments.ts"
import { playedChargeChecks } from "./checks/playedCharge.ts"
import { preferencesChecks } from "./checks/preferences.ts"
import { registrationChecks } from "./checks/registration.ts"
import { remoteStartsChecks } from "./checks/remoteStarts.ts"
import { renewingChecks } from "./checks/renewing.ts"
import { reservationsChecks } from "./checks/reservations.ts"
import { rotationChecks } from "./checks/rotation.ts"
import { routingChecks } from "./checks/routing.ts"
import { secondPartyChecks } from "./checks/secondParty.ts"
import { sentCommandsChecks } from "./checks/sentCommands.ts"
import { sentProfilesChecks } from "./checks/sentProfiles.ts"
import { sentResultsChecks } from "./checks/sentResults.ts"
import { sentTokensChecks } from "./checks/sentTokens.ts"
import { sessionLinksChecks } from "./checks/sessionLinks.ts"
import { sessionPushesChecks } from "./checks/sessionPushes.ts"
import { sessionsChecks } from "./checks/sessions.ts"
import { sessionTimesChecks } from "./checks/sessionTimes.ts"
import { sessionWriteChecks } from "./checks/sessionWrites.ts"
import { shownCardsChecks } from "./checks/shownCards.ts"
import { startedSessionsChecks } from "./checks/startedSessions.ts"
import { tariffLinksChecks } from "./checks/tariffLinks.ts"
import { tariffPartsChecks } from "./checks/tariffParts.ts"
import { tariffPricesChecks } from "./checks/tariffPrices.ts"
import { tariffPushesChecks } from "./checks/tariffPushes.ts"
import { tariffsChecks } from "./checks/tariffs.ts"
import { tariffWriteChecks } from "./checks/tariffWrites.ts"
import { theirRegistrationChecks } from "./checks/theirRegistration.ts"
import { tokensChecks } from "./checks/tokens.ts"
import { tokenWriteChecks } from "./checks/tokenWrites.ts"
import { transportChecks } from "./checks/transport.ts"
import { unwantedResultsChecks } from "./checks/unwantedResults.ts"
import { verdictPlacesChecks } from "./checks/verdictPlaces.ts"
import { versionsChecks } from "./checks/versions.ts"
import { windowsChecks } from "./checks/windows.ts"
import { wrongCommandsChecks } from "./checks/wrongCommands.ts"
import { wrongRequestsChecks } from "./checks/wrongRequests.ts"
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
