/** OCPI 2.2.1, document `mod_locations`. A check, not the schema, adds up the percentages. */
import { Schema } from "effect"
import { bool, list, num, ocpiString, optional } from "../types.ts"

/** EnergySource class (mod_locations): a source and its percentage of the mix. */
const EnergySource = Schema.Struct({
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

/** EnvironmentalImpactCategory enum (mod_locations); open in 2.3.0. */
export const EnvironmentalImpactCategory = Schema.Literal("NUCLEAR_WASTE", "CARBON_DIOXIDE").annotations({
  identifier: "EnvironmentalImpactCategory"
})

/** EnvironmentalImpact class (mod_locations): `amount` in g/kWh. */
const EnvironmentalImpact = Schema.Struct({
  category: EnvironmentalImpactCategory,
  amount: num
}).annotations({ identifier: "EnvironmentalImpact" })

/** Fields of the EnergyMix class; 2.1.1 and 2.3.0 spread them. */
export const energyMixFields = {
  is_green_energy: bool,
  energy_sources: list(EnergySource),
  environ_impact: list(EnvironmentalImpact),
  supplier_name: optional(ocpiString(64)),
  energy_product_name: optional(ocpiString(64))
}

/** EnergyMix class (mod_locations): of a location or a tariff. */
export const EnergyMix = Schema.Struct(energyMixFields).annotations({ identifier: "EnergyMix" })
