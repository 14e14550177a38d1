/** OCPI 2.3.0, document `mod_payments`. */
import { Schema } from "effect"
import { Country, CountryCode, ciId, ciString, list, optional, PartyCode, Url } from "../types.ts"
import { DateTime } from "../v2_2_1/DateTime.ts"
import { GeoLocation } from "../v2_2_1/GeoLocation.ts"

/** InvoiceCreator enum (mod_payments): the party that issues the invoice, the CPO or the payment terminal provider (PTP). */
const InvoiceCreator = Schema.Literal("CPO", "PTP").annotations({ identifier: "InvoiceCreator" })

/** Terminal object (mod_payments): a payment terminal and the locations or EVSEs that it serves. */
export const Terminal = Schema.Struct({
  terminal_id: ciId(36),
  customer_reference: optional(ciString(36)),
  party_id: optional(PartyCode),
  country_code: optional(CountryCode),
  address: optional(ciString(45)),
  city: optional(ciString(45)),
  postal_code: optional(ciString(10)),
  state: optional(ciString(20)),
  country: optional(Country),
  coordinates: optional(GeoLocation),
  invoice_base_url: optional(Url),
  invoice_creator: optional(InvoiceCreator),
  reference: optional(ciString(36)),
  location_ids: list(ciId(36)),
  evse_uids: list(ciId(36)),
  last_updated: DateTime
}).annotations({ identifier: "Terminal" })
