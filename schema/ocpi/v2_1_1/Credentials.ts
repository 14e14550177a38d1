/** OCPI 2.1.1, document `credentials`. */
import { Schema } from "effect"
import { CountryCode, PartyCode } from "../types.ts"
import { credentialsFields } from "../v2_2_1/Credentials.ts"
import { BusinessDetails } from "./BusinessDetails.ts"

/** Credentials object (credentials): the fields of its one party are beside the token. */
export const Credentials = Schema.Struct({
  token: credentialsFields.token,
  url: credentialsFields.url,
  business_details: BusinessDetails,
  party_id: PartyCode,
  country_code: CountryCode
}).annotations({ identifier: "Credentials" })
