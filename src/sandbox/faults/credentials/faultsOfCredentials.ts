/** Every fault of registration and authentication. */
import type { Fault } from "../Fault.ts"
import { credentialsFaults } from "./credentials.ts"
import { firstRegistrationFaults } from "./firstRegistration.ts"
import { registrationFaults } from "./registration.ts"
import { theirRegistrationFaults } from "./theirRegistration.ts"

/** The faults of this folder, in the library's order. */
export const faultsOfCredentials: ReadonlyArray<Fault> = [
  ...credentialsFaults,
  ...firstRegistrationFaults,
  ...registrationFaults,
  ...theirRegistrationFaults
]
