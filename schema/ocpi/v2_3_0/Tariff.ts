/** OCPI 2.3.0, document `mod_tariffs`. */
import { Schema } from "effect"
import { num, optional } from "../types.ts"
import { tariffFields } from "../v2_2_1/Tariff.ts"
import { EnergyMix } from "./EnergyMix.ts"
import { PriceLimit } from "./Price.ts"

/** TaxIncluded enum (mod_tariffs): whether the prices of the tariff include taxes. */
const TaxIncluded = Schema.Literal("YES", "NO", "N/A").annotations({ identifier: "TaxIncluded" })

/** Tariff object (mod_tariffs): adds `tax_included` (required) and `preauthorize_amount`. */
export const Tariff = Schema.Struct({
  ...tariffFields,
  min_price: optional(PriceLimit),
  max_price: optional(PriceLimit),
  preauthorize_amount: optional(num),
  tax_included: TaxIncluded,
  energy_mix: optional(EnergyMix)
}).annotations({ identifier: "Tariff" })
