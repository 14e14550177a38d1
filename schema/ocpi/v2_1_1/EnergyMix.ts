/** Document `mod_locations`: EnergyMix; an impact has a `source`, called `category` later. */
import { Schema } from "effect"
import { asciiString, list, num, optional } from "../types.ts"
import { EnvironmentalImpactCategory, energyMixFields } from "../v2_2_1/EnergyMix.ts"

export const EnvironmentalImpact = Schema.Struct({
  source: EnvironmentalImpactCategory,
  amount: num
}).annotations({ identifier: "EnvironmentalImpact" })

export const EnergyMix = Schema.Struct({
  ...energyMixFields,
  environ_impact: list(EnvironmentalImpact),
  supplier_name: optional(asciiString(64)),
  energy_product_name: optional(asciiString(64))
}).annotations({ identifier: "EnergyMix" })
