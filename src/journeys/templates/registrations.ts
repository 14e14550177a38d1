/** Registering with a partner and parting from it, whichever role is ours. */
import { Schema } from "effect"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { JourneyTemplate } from "../model/JourneyTemplate.ts"
import { waitFields } from "../stages/charge/inputs.ts"
import { partnerRegisters, readCredentials } from "../stages/registration/partnerRegisters.ts"
import { register, renew, unregister } from "../stages/registration/registration.ts"
import { partnerRenews } from "../stages/registration/theirRenewal.ts"
import { goesOverAndBack } from "./versionUpgrade.ts"

/** What all of them have. */
const common = {
  supportedVersions: versionNumbers,
  needs: [],
  requiredPlan: "integrate",
  expectedDurationSeconds: 10,
  inputs: Schema.Struct({})
} satisfies Partial<JourneyTemplate>

const withPartner = (theirRole: Role): ReadonlyArray<JourneyTemplate> => {
  const ourRole: Role = theirRole === "CPO" ? "EMSP" : "CPO"
  const suffix = theirRole.toLowerCase()
  return [
    {
      ...common,
      ourRole,
      id: `register-with-${suffix}`,
      name: `Register with a ${theirRole}`,
      description: `With the Token A of a ${theirRole}, from the first look at its versions to the first use of its Token C.`,
      outcome: "Both sides know each other, and Token A is worth nothing any more.",
      begins: "unregistered",
      stages: [register]
    },
    {
      ...common,
      ourRole,
      id: `invite-${suffix}`,
      name: `Let a ${theirRole} register with us`,
      description: `A ${theirRole} comes with the Token A of our invitation and registers with us.`,
      outcome: "The partner has registered by itself, and each side's token opens the other's doors.",
      begins: "invited",
      expectedDurationSeconds: 60,
      inputs: Schema.Struct(waitFields),
      stages: [partnerRegisters(theirRole), readCredentials]
    },
    {
      ...common,
      ourRole,
      id: `rotate-tokens-with-${suffix}`,
      name: `Renew the tokens with a ${theirRole}`,
      description: "PUT of our credentials with a new token, as is due every now and then, or after a leak.",
      outcome: "Both sides have new tokens, and go on as before.",
      stages: [
        renew(
          {
            id: "rotate",
            name: "Renew the tokens",
            description: "PUT our credentials with a new token, and try the one that comes back."
          },
          "CRED-027"
        )
      ]
    },
    {
      ...common,
      ourRole,
      id: `renewed-by-${suffix}`,
      name: `Let a ${theirRole} renew the tokens`,
      description: `A ${theirRole} PUTs its credentials with a new token, gets a new one of ours, and we call it with what it handed over.`,
      outcome: "The partner has renewed the tokens by itself, and both sides go on with the new ones.",
      expectedDurationSeconds: 60,
      inputs: Schema.Struct(waitFields),
      stages: [partnerRenews(theirRole), readCredentials]
    },
    goesOverAndBack(theirRole),
    {
      ...common,
      ourRole,
      id: `unregister-from-${suffix}`,
      name: `Part from a ${theirRole}`,
      description:
        "DELETE of our credentials. The connection is not registered afterwards; a new Token A of the partner is needed to begin again.",
      outcome: "Neither side has a token of the other's any more.",
      stages: [unregister]
    }
  ]
}

export const registrationTemplates: ReadonlyArray<JourneyTemplate> = [
  ...withPartner("EMSP"),
  ...withPartner("CPO")
]
