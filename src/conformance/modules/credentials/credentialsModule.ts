/** Registration (credentials): its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { authenticationChecks } from "./authentication.ts"
import { authenticationProbes } from "./authenticationProbes.ts"
import { credentialsChecks, keptProbe } from "./credentials.ts"
import {
  firstRegistrationChecks,
  undeterredRegistrationChecks
} from "./firstRegistration/firstRegistration.ts"
import { firstRegistrationProbes } from "./firstRegistration/firstRegistrationProbes.ts"
import { refusedRegistrationChecks } from "./firstRegistration/refusedRegistration.ts"
import { invitedProbes } from "./invitedProbes.ts"
import { registrationChecks } from "./registration.ts"
import { registrationProbes } from "./registrationProbes.ts"
import { renewingChecks } from "./renewing.ts"
import { renewingProbes, silenceProbe } from "./renewingProbes.ts"
import { rotationChecks } from "./rotation.ts"
import { theirRegistrationChecks } from "./theirRegistration.ts"

/** Checks of the registration, with the probes that they need. */
export const credentialsModule: CheckModule = {
  checks: [
    ...authenticationChecks,
    ...credentialsChecks,
    ...firstRegistrationChecks,
    ...refusedRegistrationChecks,
    ...undeterredRegistrationChecks,
    ...registrationChecks,
    ...renewingChecks,
    ...rotationChecks,
    ...theirRegistrationChecks
  ],
  probes: () => [
    ...authenticationProbes,
    keptProbe,
    ...firstRegistrationProbes,
    ...invitedProbes,
    ...registrationProbes,
    ...renewingProbes,
    silenceProbe
  ]
}
