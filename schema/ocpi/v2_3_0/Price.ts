/** OCPI 2.3.0, documents `types` (Price, TaxAmount) and `mod_tariffs` (PriceLimit). */
import { Schema } from "effect"
import { list, num, ocpiString, optional } from "../types.ts"

/** OCPI gives these texts no length; 255 is our own limit on what we accept. */
const taxText = ocpiString(255)

/** TaxAmount class (types): one tax of a price. */
const TaxAmount = Schema.Struct({
  name: taxText,
  account_number: optional(taxText),
  percentage: optional(num),
  amount: num
}).annotations({ identifier: "TaxAmount" })

/** Price class (types) in 2.3.0: the net amount, and each tax on its own. */
export const TaxedPrice = Schema.Struct({ before_taxes: num, taxes: list(TaxAmount) }).annotations({
  identifier: "Price",
  description: "a price: {before_taxes, taxes?}"
})

/** PriceLimit class (mod_tariffs): least or greatest price of a session, net and gross. */
export const PriceLimit = Schema.Struct({ before_taxes: num, after_taxes: optional(num) }).annotations({
  identifier: "PriceLimit",
  description: "a limit of a price: {before_taxes, after_taxes?}"
})
