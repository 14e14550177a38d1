/** OCPI 2.3.0, document `credentials`. */
import { Schema } from "effect"
import { formatted, nonEmptyList, optional } from "../types.ts"
import { credentialsFields, credentialsRoleFields } from "../v2_2_1/Credentials.ts"
import { BusinessDetails } from "./BusinessDetails.ts"

/** Role enum (types), without the `HUB` of 2.2 and 2.2.1. */
export const Role = Schema.Literal("CPO", "EMSP", "NAP", "NSP", "OTHER", "SCSP").annotations({
  identifier: "OcpiRole"
})

/** CredentialsRole class (credentials), with the roles of this version. */
const CredentialsRole = Schema.Struct({
  ...credentialsRoleFields,
  role: Role,
  business_details: BusinessDetails
}).annotations({
  identifier: "CredentialsRole"
})

/** Credentials object (credentials): a hub names itself in `hub_party_id`, not as a role. */
export const Credentials = Schema.Struct({
  ...credentialsFields,
  hub_party_id: optional(formatted(/^[A-Za-z]{2}[\x21-\x7e]{3}$/, "NLHUB (country code and party id)")),
  roles: nonEmptyList(CredentialsRole)
}).annotations({ identifier: "Credentials" })
