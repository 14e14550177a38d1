/** OCPI 2.1.1, document `mod_cdrs`. */

import { Schema } from "effect"
import { personal } from "../personal.ts"
import { asciiString, Currency, ciId, list, nonEmptyList, num, optional } from "../types.ts"
import { AuthMethod, ChargingPeriod } from "./ChargingPeriod.ts"
import { DateTime } from "./DateTime.ts"
import { Location } from "./Location.ts"
import { Tariff } from "./Tariff.ts"

/**
 * CDR object (mod_cdrs): ends at `stop_date_time`, holds a whole Location, the contract as `auth_id`, and costs without
 * VAT.
 */
export const CDR = Schema.Struct({
  id: ciId(36),
  start_date_time: DateTime,
  stop_date_time: DateTime,
  auth_id: personal("contract")(ciId(36)),
  auth_method: AuthMethod,
  location: Location,
  meter_id: optional(asciiString(255)),
  currency: Currency,
  tariffs: list(Tariff),
  charging_periods: nonEmptyList(ChargingPeriod),
  total_cost: num,
  total_energy: num,
  total_time: num,
  total_parking_time: optional(num),
  remark: optional(asciiString(255)),
  last_updated: DateTime
}).annotations({ identifier: "CDR" })
