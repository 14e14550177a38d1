/** OCPI 2.1.1, document `mod_locations`. */
import { Schema } from "effect"
import { asciiString, list, num, optional } from "../types.ts"
import { EnvironmentalImpactCategory, energyMixFields } from "../v2_2_1/EnergyMix.ts"

/** EnvironmentalImpact class (mod_locations): the kind is in `source`, from 2.2 on in `category`. */
const EnvironmentalImpact = Schema.Struct({
  source: EnvironmentalImpactCategory,
  amount: num
}).annotations({ identifier: "EnvironmentalImpact" })

/** EnergyMix class (mod_locations): the texts are printable ASCII. */
export const EnergyMix = Schema.Struct({
  ...energyMixFields,
  environ_impact: list(EnvironmentalImpact),
  supplier_name: optional(asciiString(64)),
  energy_product_name: optional(asciiString(64))
}).annotations({ identifier: "EnergyMix" })
