/** Journeys that register with a partner, renew the tokens and unregister, whichever role is ours. */
import { Schema } from "effect"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { withArticle } from "../../../findings/words.ts"
import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { waitFields } from "../../stages/charge/inputs.ts"
import { partnerRegisters, readCredentials } from "../../stages/registration/partnerRegisters.ts"
import { register, renew, unregister } from "../../stages/registration/registration.ts"
import { partnerRenews } from "../../stages/registration/theirRenewal.ts"
import { goesOverAndBack } from "./versionUpgrade.ts"

/** The properties that all of them share. */
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
      name: `Register with ${withArticle(theirRole)}`,
      description: `Registers with the Token A of ${withArticle(theirRole)}: from GET versions to the first use of its Token C.`,
      outcome: "Both sides have each other's credentials, and the partner refuses Token A.",
      begins: "unregistered",
      stages: [register(theirRole)]
    },
    {
      ...common,
      ourRole,
      id: `invite-${suffix}`,
      name: `Let ${withArticle(theirRole)} register with us`,
      description: `The partner, ${withArticle(theirRole)}, registers with us, with the Token A of our invitation.`,
      outcome: "The partner has registered by itself, and each side accepts the other's token.",
      begins: "invited",
      expectedDurationSeconds: 60,
      inputs: Schema.Struct(waitFields),
      stages: [partnerRegisters(theirRole), readCredentials]
    },
    {
      ...common,
      ourRole,
      id: `rotate-tokens-with-${suffix}`,
      name: `Renew the tokens with ${withArticle(theirRole)}`,
      description: "PUTs our credentials with a new token, as is needed regularly, or after a leak.",
      outcome: "Both sides have new tokens, and each accepts the other's.",
      stages: [
        renew(
          {
            id: "rotate",
            name: "Renew the tokens",
            description: "PUT our credentials with a new token, and try the token of the partner's answer."
          },
          theirRole,
          "CRED-027"
        )
      ]
    },
    {
      ...common,
      ourRole,
      id: `renewed-by-${suffix}`,
      name: `Let ${withArticle(theirRole)} renew the tokens`,
      description: `The partner, ${withArticle(theirRole)}, PUTs its credentials with a new token and gets a new one of ours; then we call it with the token that it handed over.`,
      outcome: "The partner has renewed the tokens by itself, and each side accepts the other's new token.",
      expectedDurationSeconds: 60,
      inputs: Schema.Struct(waitFields),
      stages: [partnerRenews(theirRole), readCredentials]
    },
    goesOverAndBack(theirRole),
    {
      ...common,
      ourRole,
      id: `unregister-from-${suffix}`,
      name: `Unregister from ${withArticle(theirRole)}`,
      description:
        "DELETEs our credentials. Afterwards the connection is not registered; to register again you need a new Token A of the partner.",
      outcome: "Neither side accepts a token of the other any more.",
      stages: [unregister]
    }
  ]
}

/** These journeys, for both roles of the partner. */
export const registrationTemplates: ReadonlyArray<JourneyTemplate> = [
  ...withPartner("EMSP"),
  ...withPartner("CPO")
]
