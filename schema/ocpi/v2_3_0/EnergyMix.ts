/** OCPI 2.3.0, document `mod_locations`. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { list, num } from "../types.ts"
import { energyMixFields, EnvironmentalImpactCategory as Known } from "../v2_2_1/EnergyMix.ts"

/** EnvironmentalImpactCategory (mod_locations), an OpenEnum from 2.3.0 on. */
const EnvironmentalImpactCategory = openEnum(Known)

/** EnvironmentalImpact class (mod_locations): `amount` in g/kWh, `category` open. */
const EnvironmentalImpact = Schema.Struct({
  category: EnvironmentalImpactCategory,
  amount: num
}).annotations({ identifier: "EnvironmentalImpact" })

/** EnergyMix class (mod_locations): its impacts have open categories. */
export const EnergyMix = Schema.Struct({
  ...energyMixFields,
  environ_impact: list(EnvironmentalImpact)
}).annotations({ identifier: "EnergyMix" })
