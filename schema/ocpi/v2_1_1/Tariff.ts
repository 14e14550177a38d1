/** OCPI 2.1.1, document `mod_tariffs`. */
import { Schema } from "effect"
import { Currency, ciId, list, nonEmptyList, optional, Url } from "../types.ts"
import { priceComponentFields, tariffRestrictionsFields } from "../v2_2_1/Tariff.ts"
import { DateTime } from "./DateTime.ts"
import { DisplayText } from "./DisplayText.ts"
import { EnergyMix } from "./EnergyMix.ts"

const { vat: _, ...untaxed } = priceComponentFields

/** PriceComponent class (mod_tariffs): has no `vat`. */
const PriceComponent = Schema.Struct(untaxed).annotations({ identifier: "PriceComponent" })

const { max_current: __, min_current: ___, reservation: ____, ...restrictions } = tariffRestrictionsFields

/** TariffRestrictions class (mod_tariffs): none by current and none for reservations. */
const TariffRestrictions = Schema.Struct(restrictions).annotations({
  identifier: "TariffRestrictions"
})

/** TariffElement class (mod_tariffs): price components, and the restrictions under which they apply. */
const TariffElement = Schema.Struct({
  price_components: nonEmptyList(PriceComponent),
  restrictions: optional(TariffRestrictions)
}).annotations({ identifier: "TariffElement" })

/** Tariff object (mod_tariffs): no owner fields, no `type`, no validity, no price limits. */
export const Tariff = Schema.Struct({
  id: ciId(36),
  currency: Currency,
  tariff_alt_text: list(DisplayText),
  tariff_alt_url: optional(Url),
  elements: nonEmptyList(TariffElement),
  energy_mix: optional(EnergyMix),
  last_updated: DateTime
}).annotations({ identifier: "Tariff" })
