/** Every fault of a stranger, by module, and the checks that none of them reaches. */
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { isIn } from "../partner/classes.ts"
import type { StrangerRole, StrangerVersion } from "../partner/Freedoms.ts"
import { cdrFaults } from "./cdrs.ts"
import { commandFaults, profileFaults } from "./commands.ts"
import { fieldFaults } from "./fields.ts"
import { laterFaults, linkFaults, tariffPushFaults, typeFaults } from "./later.ts"
import { locationFaults, locationReadFaults } from "./locations.ts"
import type { Mutation } from "./Mutation.ts"
import { pagingFaults } from "./paging.ts"
import { callFaults, pushFaults } from "./pushes.ts"
import {
  cdrReceiverFaults,
  clientInfoFaults,
  locationReceiverFaults,
  sessionReceiverFaults,
  tariffReceiverFaults,
  tokenReceiverFaults
} from "./receivers.ts"
import {
  credentialFaults,
  firstFaults,
  registrationFaults,
  renewalFaults,
  theirFaults
} from "./registration.ts"
import { preferenceFaults, sessionFaults } from "./sessions.ts"
import { tariffFaults } from "./tariffs.ts"
import { authorizeFaults, tokenFaults } from "./tokens.ts"
import { answerFaults, requestFaults, stampFaults } from "./transport.ts"
import { versionFaults } from "./versions.ts"

/** The rows that are written down one by one. */
export const mutations: ReadonlyArray<Mutation> = [
  ...versionFaults,
  ...registrationFaults,
  ...credentialFaults,
  ...renewalFaults,
  ...firstFaults,
  ...theirFaults,
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
  ...commandFaults,
  ...profileFaults,
  ...laterFaults,
  ...linkFaults,
  ...tariffPushFaults,
  ...typeFaults,
  ...callFaults,
  ...pushFaults
]

/** Can a stranger of that version and role have the fault, and is its check about such a partner? */
export const isPossible = (
  { caughtBy, roles, versions }: Mutation,
  version: StrangerVersion,
  role: StrangerRole
): boolean =>
  isIn(version, versions) &&
  (roles === undefined || roles.includes(role)) &&
  allChecks.some(
    (check) => check.id === caughtBy && check.versions.includes(version) && check.roles.includes(role)
  )

/** Every fault that a stranger of that version and role can have. */
export const mutationsOf = (version: StrangerVersion, role: StrangerRole): ReadonlyArray<Mutation> =>
  [...mutations, ...fieldFaults(version)].filter((row) => isPossible(row, version, role))
