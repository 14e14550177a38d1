/** OCPI 2.2.1, document `mod_sessions`. */
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

/** SessionStatus enum (mod_sessions), from 2.2 on. */
export const SessionStatus = Schema.Literal(
  "ACTIVE",
  "COMPLETED",
  "INVALID",
  "PENDING",
  "RESERVATION"
).annotations({
  identifier: "SessionStatus"
})

/** Fields of the Session object; 2.2 and 2.3.0 spread them. */
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

/** Session object (mod_sessions): the place as three ids, the token as CdrToken, energy in kWh. */
export const Session = Schema.Struct(sessionFields).annotations({ identifier: "Session" })
