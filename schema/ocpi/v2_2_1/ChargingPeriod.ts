/** Document `mod_cdrs`: what Sessions and CDRs share. */

import { Schema } from "effect"
import { personal } from "../personal.ts"
import { CountryCode, ciId, ciString, nonEmptyList, num, optional, PartyCode } from "../types.ts"
import { DateTime } from "./DateTime.ts"
import { TokenType } from "./Token.ts"

export const AuthMethod = Schema.Literal("AUTH_REQUEST", "COMMAND", "WHITELIST").annotations({
  identifier: "AuthMethod"
})

/** The ones that may be only in a Session are in the list too; that a CDR has none of them is a check's matter. */
export const CdrDimensionType = Schema.Literal(
  "CURRENT",
  "ENERGY",
  "ENERGY_EXPORT",
  "ENERGY_IMPORT",
  "MAX_CURRENT",
  "MIN_CURRENT",
  "MAX_POWER",
  "MIN_POWER",
  "PARKING_TIME",
  "POWER",
  "RESERVATION_TIME",
  "STATE_OF_CHARGE",
  "TIME"
).annotations({ identifier: "CdrDimensionType" })

export const CdrDimension = Schema.Struct({ type: CdrDimensionType, volume: num }).annotations({
  identifier: "CdrDimension"
})

export const chargingPeriodFields = {
  start_date_time: DateTime,
  dimensions: nonEmptyList(CdrDimension),
  tariff_id: optional(ciString(36))
}
export const ChargingPeriod = Schema.Struct(chargingPeriodFields).annotations({
  identifier: "ChargingPeriod"
})

export const cdrTokenFields = {
  country_code: CountryCode,
  party_id: PartyCode,
  uid: personal("token")(ciId(36)),
  type: TokenType,
  contract_id: personal("contract")(ciId(36))
}
export const CdrToken = Schema.Struct(cdrTokenFields).annotations({ identifier: "CdrToken" })
