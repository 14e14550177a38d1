/** OCPI 2.2.1, document `mod_cdrs`: classes that Sessions and CDRs share. */

import { Schema } from "effect"
import { personal } from "../personal.ts"
import { CountryCode, ciId, ciString, nonEmptyList, num, optional, PartyCode } from "../types.ts"
import { DateTime } from "./DateTime.ts"
import { TokenType } from "./Token.ts"

/** AuthMethod enum (mod_cdrs), from 2.2 on. */
export const AuthMethod = Schema.Literal("AUTH_REQUEST", "COMMAND", "WHITELIST").annotations({
  identifier: "AuthMethod"
})

/**
 * CdrDimensionType enum (mod_cdrs), from 2.2 on. Some words are allowed in Sessions only; a check of its own looks for
 * them in CDRs.
 */
const CdrDimensionType = Schema.Literal(
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

/** CdrDimension class (mod_cdrs): the unit of `volume` follows from the type (kWh, A, kW, hours or percent). */
const CdrDimension = Schema.Struct({ type: CdrDimensionType, volume: num }).annotations({
  identifier: "CdrDimension"
})

/** Fields of the ChargingPeriod class. */
const chargingPeriodFields = {
  start_date_time: DateTime,
  dimensions: nonEmptyList(CdrDimension),
  tariff_id: optional(ciString(36))
}

/** ChargingPeriod class (mod_cdrs): lasts until the next one starts; may name its tariff. */
export const ChargingPeriod = Schema.Struct(chargingPeriodFields).annotations({
  identifier: "ChargingPeriod"
})

/** Fields of the CdrToken class; 2.2 and 2.3.0 spread them. */
export const cdrTokenFields = {
  country_code: CountryCode,
  party_id: PartyCode,
  uid: personal("token")(ciId(36)),
  type: TokenType,
  contract_id: personal("contract")(ciId(36))
}

/** CdrToken class (mod_cdrs), from 2.2.1 on with the owner of the token; used by Sessions and CDRs. */
export const CdrToken = Schema.Struct(cdrTokenFields).annotations({ identifier: "CdrToken" })
