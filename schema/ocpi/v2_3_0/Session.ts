/** OCPI 2.3.0, document `mod_sessions`. */
import { Schema } from "effect"
import { optional } from "../types.ts"
import { cdrTokenFields } from "../v2_2_1/ChargingPeriod.ts"
import { sessionFields } from "../v2_2_1/Session.ts"
import { TaxedPrice } from "./Price.ts"
import { TokenType } from "./Token.ts"

/** CdrToken class (mod_cdrs): the type of the token is open. */
export const CdrToken = Schema.Struct({ ...cdrTokenFields, type: TokenType }).annotations({
  identifier: "CdrToken"
})

/** Session object (mod_sessions): `total_cost` is a TaxedPrice. */
export const Session = Schema.Struct({
  ...sessionFields,
  cdr_token: CdrToken,
  total_cost: optional(TaxedPrice)
}).annotations({ identifier: "Session" })
