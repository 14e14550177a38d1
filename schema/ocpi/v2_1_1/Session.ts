/** OCPI 2.1.1, document `mod_sessions`. */

import { Schema } from "effect"
import { without } from "../enums.ts"
import { personal } from "../personal.ts"
import { asciiString, Currency, ciId, list, num, optional } from "../types.ts"
import { SessionStatus as NewerSessionStatus } from "../v2_2_1/Session.ts"
import { AuthMethod, ChargingPeriod } from "./ChargingPeriod.ts"
import { DateTime } from "./DateTime.ts"
import { Location } from "./Location.ts"

/** SessionStatus enum (mod_sessions); 2.2 added `RESERVATION`. */
const SessionStatus = without(NewerSessionStatus, "RESERVATION").annotations({
  identifier: "SessionStatus"
})

/**
 * Session object (mod_sessions): `start_datetime` and `end_datetime`, a whole Location, the contract as `auth_id`,
 * costs as a number without VAT.
 */
export const Session = Schema.Struct({
  id: ciId(36),
  start_datetime: DateTime,
  end_datetime: optional(DateTime),
  kwh: num,
  auth_id: personal("contract")(ciId(36)),
  auth_method: AuthMethod,
  location: Location,
  meter_id: optional(asciiString(255)),
  currency: Currency,
  charging_periods: list(ChargingPeriod),
  total_cost: optional(num),
  status: SessionStatus,
  last_updated: DateTime
}).annotations({ identifier: "Session" })
