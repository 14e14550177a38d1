/** Document `mod_sessions`: Session. */
import { Schema } from "effect"
import {
  CountryCode,
  Currency,
  ciId,
  ciString,
  list,
  num,
  ocpiString,
  optional,
  PartyCode
} from "../types.ts"
import { AuthMethod, CdrToken, ChargingPeriod } from "./ChargingPeriod.ts"
import { DateTime } from "./DateTime.ts"
import { Price } from "./Price.ts"

export const SessionStatus = Schema.Literal(
  "ACTIVE",
  "COMPLETED",
  "INVALID",
  "PENDING",
  "RESERVATION"
).annotations({
  identifier: "SessionStatus"
})

export const sessionFields = {
  country_code: CountryCode,
  party_id: PartyCode,
  id: ciId(36),
  start_date_time: DateTime,
  end_date_time: optional(DateTime),
  kwh: num,
  cdr_token: CdrToken,
  auth_method: AuthMethod,
  authorization_reference: optional(ciString(36)),
  location_id: ciId(36),
  evse_uid: ciId(36),
  connector_id: ciId(36),
  meter_id: optional(ocpiString(255)),
  currency: Currency,
  charging_periods: list(ChargingPeriod),
  total_cost: optional(Price),
  status: SessionStatus,
  last_updated: DateTime
}
export const Session = Schema.Struct(sessionFields).annotations({ identifier: "Session" })
export type Session = typeof Session.Type
