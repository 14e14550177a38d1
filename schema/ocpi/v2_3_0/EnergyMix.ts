/** Document `mod_locations`: EnergyMix; the kinds of impact are open. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { list, num } from "../types.ts"
import { energyMixFields, EnvironmentalImpactCategory as Known } from "../v2_2_1/EnergyMix.ts"

export const EnvironmentalImpactCategory = openEnum(Known)

export const EnvironmentalImpact = Schema.Struct({
  category: EnvironmentalImpactCategory,
  amount: num
}).annotations({ identifier: "EnvironmentalImpact" })

export const EnergyMix = Schema.Struct({
  ...energyMixFields,
  environ_impact: list(EnvironmentalImpact)
}).annotations({ identifier: "EnergyMix" })
