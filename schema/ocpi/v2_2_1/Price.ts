/** Document `types`: Price. */
import { Schema } from "effect"
import { num, optional } from "../types.ts"

export const Price = Schema.Struct({ excl_vat: num, incl_vat: optional(num) }).annotations({
  identifier: "Price",
  description: "a price: {excl_vat, incl_vat?}"
})
export type Price = typeof Price.Type
