/**
 * Envelope, headers, routing, types of fields: of no module in particular (transport_and_format): its checks, and the probes that
 * they need.
 */
import type { CheckModule } from "../../model/CheckModule.ts"
import { listsOf } from "../shared/lists.ts"
import { callsChecks } from "./calls.ts"
import { encryptionChecks } from "./encryption.ts"
import { envelopeChecks } from "./envelopes.ts"
import { answersProbe } from "./everyAnswer.ts"
import { fieldTypesChecks } from "./fieldTypes.ts"
import { formsChecks } from "./forms.ts"
import { dateFormProbe, formProbes } from "./formsProbes.ts"
import { inboundChecks } from "./inbound.ts"
import { objectWrites } from "./objectWrites.ts"
import { ourFaultsChecks } from "./ourFaults.ts"
import { ourFaultProbes } from "./ourFaultsProbes.ts"
import { routingChecks } from "./routing.ts"
import { transportChecks } from "./transport.ts"
import { undatedChecks } from "./undatedPatches.ts"
import { wrongRequestsChecks } from "./wrongRequests.ts"
import { wrongRequestProbes } from "./wrongRequestsProbes.ts"

/** Checks of transport, with the probes that they need. */
export const transportModule: CheckModule = {
  checks: [
    ...callsChecks,
    ...encryptionChecks,
    ...envelopeChecks,
    ...fieldTypesChecks,
    ...formsChecks,
    ...inboundChecks,
    ...objectWrites.checks,
    ...ourFaultsChecks,
    ...routingChecks,
    ...transportChecks,
    ...undatedChecks,
    ...wrongRequestsChecks
  ],
  probes: (profile, role) => [
    ...listsOf(profile, role).map(dateFormProbe),
    ...formProbes,
    answersProbe({ profile, role }),
    ...objectWrites.probes,
    ...ourFaultProbes,
    ...wrongRequestProbes
  ]
}
