/** Document `credentials`: one party per connection, its fields beside the token. */
import { Schema } from "effect"
import { asciiString, CountryCode, PartyCode } from "../types.ts"
import { businessDetailsFields } from "../v2_2_1/BusinessDetails.ts"
import { credentialsFields } from "../v2_2_1/Credentials.ts"

export const BusinessDetails = Schema.Struct({
  ...businessDetailsFields,
  name: asciiString(100)
}).annotations({
  identifier: "BusinessDetails"
})

export const Credentials = Schema.Struct({
  token: credentialsFields.token,
  url: credentialsFields.url,
  business_details: BusinessDetails,
  party_id: PartyCode,
  country_code: CountryCode
}).annotations({ identifier: "Credentials" })
