/** Document `mod_locations`: EnergyMix and what it is made of. That the percentages add up to 100 is a check's matter. */
import { Schema } from "effect"
import { bool, list, num, ocpiString, optional } from "../types.ts"

export const EnergySource = Schema.Struct({
  source: Schema.Literal(
    "NUCLEAR",
    "GENERAL_FOSSIL",
    "COAL",
    "GAS",
    "GENERAL_GREEN",
    "SOLAR",
    "WIND",
    "WATER"
  ),
  percentage: num
}).annotations({ identifier: "EnergySource" })

export const EnvironmentalImpactCategory = Schema.Literal("NUCLEAR_WASTE", "CARBON_DIOXIDE").annotations({
  identifier: "EnvironmentalImpactCategory"
})

export const EnvironmentalImpact = Schema.Struct({
  category: EnvironmentalImpactCategory,
  amount: num
}).annotations({ identifier: "EnvironmentalImpact" })

export const energyMixFields = {
  is_green_energy: bool,
  energy_sources: list(EnergySource),
  environ_impact: list(EnvironmentalImpact),
  supplier_name: optional(ocpiString(64)),
  energy_product_name: optional(ocpiString(64))
}
export const EnergyMix = Schema.Struct(energyMixFields).annotations({ identifier: "EnergyMix" })
export type EnergyMix = typeof EnergyMix.Type
