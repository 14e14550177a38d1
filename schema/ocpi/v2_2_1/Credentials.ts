/** OCPI 2.2.1, document `credentials`. */
import { Schema } from "effect"
import { CountryCode, formatted, nonEmptyList, PartyCode, Url } from "../types.ts"
import { BusinessDetails } from "./BusinessDetails.ts"

/** Role enum (types); 2.3.0 has no `HUB`. Not the `Role` of our API, which is CPO or EMSP. */
export const Role = Schema.Literal("CPO", "EMSP", "HUB", "NAP", "NSP", "OTHER", "SCSP").annotations({
  identifier: "OcpiRole"
})

/** Fields of the CredentialsRole class; 2.3.0 spreads them. */
export const credentialsRoleFields = {
  role: Role,
  business_details: BusinessDetails,
  party_id: PartyCode,
  country_code: CountryCode
}

/** CredentialsRole class (credentials): one party of the platform, in one role. */
const CredentialsRole = Schema.Struct(credentialsRoleFields).annotations({
  identifier: "CredentialsRole"
})

/** Fields of the Credentials object; 2.1.1 and 2.3.0 take from them. */
export const credentialsFields = {
  token: formatted(/^[\x21-\x7e]{1,64}$/, "a token: 1 to 64 printable ASCII characters without a space"),
  url: Url,
  roles: nonEmptyList(CredentialsRole)
}

/** Credentials object (credentials): `token` is plain here, Base64 only in the Authorization header. */
export const Credentials = Schema.Struct(credentialsFields).annotations({ identifier: "Credentials" })
