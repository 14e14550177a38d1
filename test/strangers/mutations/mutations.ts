/** Every fault of a stranger, by module, and the checks that none of them reaches. */
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import type { StrangerRole, StrangerVersion } from "../partner/Freedoms.ts"
import { isIn } from "../partner/objects/classes.ts"
import { cardFaults } from "./charging/cards.ts"
import { chargedFaults } from "./charging/charged.ts"
import { commandFaults } from "./charging/commands.ts"
import { driverFaults } from "./charging/drivers.ts"
import { profileFaults } from "./charging/profiles.ts"
import { reservationFaults } from "./charging/reservations.ts"
import { tokenPushFaults, unaskedFaults } from "./charging/unasked.ts"
import { firstFaults } from "./credentials/first.ts"
import { invitedFaults, registrationFaults, theirFaults } from "./credentials/registration.ts"
import { afterRenewalFaults, credentialFaults, renewalFaults } from "./credentials/renewal.ts"
import type { Mutation } from "./Mutation.ts"
import { cdrFaults } from "./objects/cdrs.ts"
import { fieldFaults } from "./objects/fields.ts"
import { laterFaults, linkFaults, tariffPushFaults, typeFaults } from "./objects/later.ts"
import { locationFaults, locationReadFaults } from "./objects/locations.ts"
import { nestedFaults } from "./objects/nested.ts"
import { preferenceFaults, sessionFaults } from "./objects/sessions.ts"
import { tariffFaults } from "./objects/tariffs.ts"
import { authorizeFaults, tokenFaults } from "./objects/tokens.ts"
import { cdrReceiverFaults } from "./receivers/cdrReceiver.ts"
import { locationReceiverFaults } from "./receivers/locationReceiver.ts"
import { openWriteFaults } from "./receivers/openWrites.ts"
import { paymentFaults } from "./receivers/payments.ts"
import { sessionReceiverFaults } from "./receivers/sessionReceiver.ts"
import { tariffReceiverFaults } from "./receivers/tariffReceiver.ts"
import { clientInfoFaults, tokenReceiverFaults } from "./receivers/tokenReceiver.ts"
import { answerFaults } from "./wire/answers.ts"
import { callFaults } from "./wire/calls.ts"
import { hubFaults } from "./wire/hubs.ts"
import { pagingFaults } from "./wire/paging.ts"
import { pushFaults } from "./wire/pushes.ts"
import { requestFaults, stampFaults } from "./wire/requests.ts"
import { routineFaults } from "./wire/routine.ts"
import { servedClientsFaults } from "./wire/servedClients.ts"
import { versionFaults, withoutTariffs } from "./wire/versions.ts"

/** The rows that are written down one by one. */
export const mutations: ReadonlyArray<Mutation> = [
  ...versionFaults,
  ...withoutTariffs,
  ...registrationFaults,
  ...credentialFaults,
  ...renewalFaults,
  ...afterRenewalFaults,
  ...firstFaults,
  ...theirFaults,
  ...invitedFaults,
  ...answerFaults,
  ...requestFaults,
  ...stampFaults,
  ...pagingFaults,
  ...locationFaults,
  ...locationReadFaults,
  ...locationReceiverFaults,
  ...sessionFaults,
  ...preferenceFaults,
  ...sessionReceiverFaults,
  ...cdrFaults,
  ...cdrReceiverFaults,
  ...tariffFaults,
  ...tariffReceiverFaults,
  ...tokenFaults,
  ...authorizeFaults,
  ...tokenReceiverFaults,
  ...clientInfoFaults,
  ...paymentFaults,
  ...openWriteFaults,
  ...chargedFaults,
  ...commandFaults,
  ...reservationFaults,
  ...profileFaults,
  ...unaskedFaults,
  ...tokenPushFaults,
  ...cardFaults,
  ...laterFaults,
  ...nestedFaults,
  ...linkFaults,
  ...tariffPushFaults,
  ...typeFaults,
  ...callFaults,
  ...routineFaults,
  ...pushFaults,
  ...hubFaults,
  ...servedClientsFaults,
  ...driverFaults
]

const checksById = new Map(
  allChecks.map(({ id }) => [id, allChecks.filter((check) => check.id === id)] as const)
)

/** Can a stranger of that version and role have the fault, and is its check about such a partner? */
export const isPossible = (
  { caughtBy, roles, versions }: Mutation,
  version: StrangerVersion,
  role: StrangerRole
): boolean =>
  isIn(version, versions) &&
  (roles === undefined || roles.includes(role)) &&
  (checksById.get(caughtBy) ?? []).some(
    (check) => check.versions.includes(version) && check.roles.includes(role)
  )

const known = new Map<string, ReadonlyArray<Mutation>>()

/** Every fault that a stranger of that version and role can have. */
export const mutationsOf = (version: StrangerVersion, role: StrangerRole): ReadonlyArray<Mutation> => {
  const key = `${version} ${role}`
  const rows =
    known.get(key) ?? [...mutations, ...fieldFaults(version)].filter((row) => isPossible(row, version, role))
  known.set(key, rows)
  return rows
}
