/** Document `types`: Price and its taxes; document `mod_tariffs`: PriceLimit. */
import { Schema } from "effect"
import { list, num, ocpiString, optional } from "../types.ts"

/** The table gives these texts no length; ours only keeps them from growing without end. */
const taxText = ocpiString(255)

export const TaxAmount = Schema.Struct({
  name: taxText,
  account_number: optional(taxText),
  percentage: optional(num),
  amount: num
}).annotations({ identifier: "TaxAmount" })

export const TaxedPrice = Schema.Struct({ before_taxes: num, taxes: list(TaxAmount) }).annotations({
  identifier: "Price",
  description: "a price: {before_taxes, taxes?}"
})
export type TaxedPrice = typeof TaxedPrice.Type

export const PriceLimit = Schema.Struct({ before_taxes: num, after_taxes: optional(num) }).annotations({
  identifier: "PriceLimit",
  description: "a limit of a price: {before_taxes, after_taxes?}"
})
