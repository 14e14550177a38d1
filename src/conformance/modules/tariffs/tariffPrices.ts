/** The prices of tariffs: currency, steps, taxes, limits. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { keyText } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { Check } from "../../model/Check.ts"
import { tariffs } from "../shared/objects/ListedKind.ts"
import { onEach, onFlaws, wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import {
  currency,
  limits,
  steps,
  tariffClause,
  tariffsBase,
  taxIncluded,
  withLimits
} from "./tariffObjects.ts"
import { componentsOf } from "./tariffParts.ts"

const withTaxIncluded = versionsWhere(({ tariffTax }) => tariffTax === "tax_included")

/** Highest plausible prices, before tax, in currencies whose unit is worth about as much as the euro. */
const plausible: Readonly<Record<string, number>> = { ENERGY: 5, TIME: 200, PARKING_TIME: 200 }

const euroLike = ["EUR", "USD", "GBP", "CHF", "CAD", "AUD", "NZD"]

/** Judge currency, step_size, prices, taxes and price limits of tariffs (mod_tariffs, Tariff Object and PriceComponent class). */
export const tariffPricesChecks: ReadonlyArray<Check> = [
  {
    ...tariffsBase,
    id: "TAR-004",
    title: "Tariff: currency is an ISO 4217 code",
    reference: tariffClause,
    passes: "currency is an ISO 4217 code",
    hint: "Write currency with three capital letters, like EUR.",
    judge: onFlaws(tariffs, currency)
  },
  {
    ...tariffsBase,
    id: "TAR-007",
    title: "PriceComponent: step_size is a non-negative integer, and 0 only for FLAT",
    reference: "mod_tariffs, PriceComponent class",
    passes: "step_size is a non-negative integer; not 0 unless the type is FLAT",
    hint: "Write step_size in Wh for ENERGY and in seconds for times; 1 where nothing is to be rounded.",
    judge: onFlaws(tariffs, steps, (item) =>
      componentsOf(item).flatMap(({ at, component: { step_size, type } }) => {
        if (typeof step_size !== "number") return []
        if (step_size < 0)
          return [
            wrong(item, `${at}/step_size`, "step_size is negative", {
              expected: "1 or more",
              actual: step_size
            })
          ]
        return unless(step_size > 0 || type === "FLAT", () =>
          wrong(item, `${at}/step_size`, "step_size is 0", {
            expected: "1 or more",
            actual: step_size,
            strength: "should"
          })
        )
      })
    )
  },
  {
    ...tariffsBase,
    id: "TAR-008",
    title: "PriceComponent: price is plausible, and vat is a percentage",
    strength: "should",
    reference: "mod_tariffs, PriceComponent class",
    passes:
      "no price is negative; in currencies like EUR, ENERGY is below 5 per kWh and times are below 200 per hour; vat is from 0 to 100",
    hint: "Write prices per kWh and per hour, in the unit of the currency, not in cents.",
    judge: onEach(tariffs, "has price components", prices)
  },
  {
    ...tariffsBase,
    id: "TAR-009",
    versions: withTaxIncluded,
    title: "Tariff: tax_included is YES, NO or N/A",
    reference: "mod_tariffs, Tariff Object, TaxIncluded enum",
    passes: "tax_included is YES, NO or N/A",
    hint: "Set tax_included: without it the price that the driver pays is not known.",
    judge: onFlaws(tariffs, taxIncluded)
  },
  {
    ...tariffsBase,
    id: "TAR-010",
    versions: withTaxIncluded,
    title: "PriceComponent: no vat where tax_included is N/A",
    strength: "should",
    reference: "mod_tariffs, TaxIncluded enum, PriceComponent class",
    passes: "no price component has vat where tax_included is N/A",
    hint: "Leave vat out where tax_included is N/A: no taxes are collected then.",
    judge: onEach(tariffs, "has tax_included N/A", (item) =>
      item.json["tax_included"] !== "N/A"
        ? undefined
        : componentsOf(item).flatMap(({ at, component: { vat } }) =>
            when(typeof vat === "number", () =>
              wrong(item, `${at}/vat`, "vat is given although tax_included is N/A", {
                expected: "no vat",
                actual: vat
              })
            )
          )
    )
  },
  {
    ...tariffsBase,
    id: "TAR-012",
    versions: withLimits,
    title: "Tariff: min_price and max_price have the version's form",
    reference: "mod_tariffs, Tariff Object; types, Price class",
    passes:
      "min_price and max_price are excl_vat and incl_vat, or before_taxes and after_taxes, as the version has it",
    hint: "Write each limit as an object, with the net amount in a field of its own.",
    judge: onFlaws(tariffs, limits)
  }
]

function prices(item: Placed): ReadonlyArray<Finding> | undefined {
  const components = componentsOf(item)
  if (components.length === 0) return undefined
  const known = euroLike.includes(keyText(item.json["currency"]))
  return components.flatMap(({ at, component: { price, type, vat } }) => {
    const most = known ? plausible[keyText(type)] : undefined
    return [
      ...when(typeof price === "number" && price < 0, () =>
        wrong(item, `${at}/price`, "the price is negative", { expected: "0 or more", actual: price })
      ),
      ...when(typeof price === "number" && most !== undefined && price >= most, () =>
        wrong(item, `${at}/price`, `the price of ${inWords(type)} is not plausible`, {
          expected: `below ${most}`,
          actual: price
        })
      ),
      ...when(typeof vat === "number" && (vat < 0 || vat > 100), () =>
        wrong(item, `${at}/vat`, "vat is not a percentage", { expected: "0 to 100", actual: vat })
      )
    ]
  })
}
