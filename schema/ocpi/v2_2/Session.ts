/** OCPI 2.2, document `mod_sessions`. */
import { Schema } from "effect"
import { cdrTokenFields } from "../v2_2_1/ChargingPeriod.ts"
import { sessionFields } from "../v2_2_1/Session.ts"

const { country_code: _, party_id: __, ...ownerless } = cdrTokenFields

/** CdrToken class (mod_cdrs): no `country_code` and `party_id` of the token's owner. */
export const CdrToken = Schema.Struct(ownerless).annotations({ identifier: "CdrToken" })

/** Session object (mod_sessions): as in 2.2.1, with a shorter CdrToken. */
export const Session = Schema.Struct({ ...sessionFields, cdr_token: CdrToken }).annotations({
  identifier: "Session"
})
