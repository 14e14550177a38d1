/** OCPI 2.3.0, document `mod_cdrs`. */
import { Schema } from "effect"
import { list, optional } from "../types.ts"
import { cdrFields, cdrLocationFields, creditRule } from "../v2_2_1/Cdr.ts"
import { ConnectorType } from "./Connector.ts"
import { TaxedPrice } from "./Price.ts"
import { CdrToken } from "./Session.ts"
import { Tariff } from "./Tariff.ts"

/** CdrLocation class (mod_cdrs): the standard of the plug is open. */
const CdrLocation = Schema.Struct({
  ...cdrLocationFields,
  connector_standard: ConnectorType
}).annotations({ identifier: "CdrLocation" })

/** CDR object (mod_cdrs): every cost is a TaxedPrice. */
export const CDR = Schema.Struct({
  ...cdrFields,
  cdr_token: CdrToken,
  cdr_location: CdrLocation,
  tariffs: list(Tariff),
  total_cost: TaxedPrice,
  total_fixed_cost: optional(TaxedPrice),
  total_energy_cost: optional(TaxedPrice),
  total_time_cost: optional(TaxedPrice),
  total_parking_cost: optional(TaxedPrice),
  total_reservation_cost: optional(TaxedPrice)
})
  .pipe(Schema.filter(creditRule))
  .annotations({ identifier: "CDR" })
