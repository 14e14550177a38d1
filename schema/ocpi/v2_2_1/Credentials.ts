/** Document `credentials`: Credentials and its roles. */
import { Schema } from "effect"
import { CountryCode, formatted, nonEmptyList, PartyCode, Url } from "../types.ts"
import { BusinessDetails } from "./BusinessDetails.ts"

export const Role = Schema.Literal("CPO", "EMSP", "HUB", "NAP", "NSP", "OTHER", "SCSP").annotations({
  identifier: "OcpiRole"
})

export const credentialsRoleFields = {
  role: Role,
  business_details: BusinessDetails,
  party_id: PartyCode,
  country_code: CountryCode
}
export const CredentialsRole = Schema.Struct(credentialsRoleFields).annotations({
  identifier: "CredentialsRole"
})

export const credentialsFields = {
  token: formatted(/^[\x21-\x7e]{1,64}$/, "a token: 1 to 64 printable ASCII characters without a space"),
  url: Url,
  roles: nonEmptyList(CredentialsRole)
}
export const Credentials = Schema.Struct(credentialsFields).annotations({ identifier: "Credentials" })
export type Credentials = typeof Credentials.Type
