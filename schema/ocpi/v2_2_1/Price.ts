/** OCPI 2.2.1, document `types`. */
import { Schema } from "effect"
import { num, optional } from "../types.ts"

/** Price class (types), in 2.2 and 2.2.1; see `TaxedPrice` for 2.3.0. In 2.1.1 a price is a number without VAT. */
export const Price = Schema.Struct({ excl_vat: num, incl_vat: optional(num) }).annotations({
  identifier: "Price",
  description: "a price: {excl_vat, incl_vat?}"
})
