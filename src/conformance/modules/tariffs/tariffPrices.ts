/** The prices of tariffs: currency, steps, taxes, limits. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import type { Check } from "../../model/Check.ts"
import { onEach, onFlaws, type Placed, tariffs, wrong } from "../shared/readObjects.ts"
import { base, currency, limits, object, steps, taxIncluded, withLimits } from "./tariffObjects.ts"
import { componentsOf } from "./tariffParts.ts"

const withTaxIncluded = versionsWhere(({ tariffTax }) => tariffTax === "tax_included")

/** Plausible most, before tax, in currencies whose unit is worth about as much as the euro. */
const plausible: Readonly<Record<string, number>> = { ENERGY: 5, TIME: 200, PARKING_TIME: 200 }

const euroLike = ["EUR", "USD", "GBP", "CHF", "CAD", "AUD", "NZD"]

export const tariffPricesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TAR-004",
    title: "Prices in a currency that there is",
    reference: object,
    passes: "currency is an ISO 4217 code",
    hint: "Three capital letters, like EUR.",
    judge: onFlaws(tariffs, currency)
  },
  {
    ...base,
    id: "TAR-007",
    title: "Counts in whole steps",
    reference: "mod_tariffs, PriceComponent class",
    passes: "step_size is a whole number, not negative; not 0 where something is counted",
    hint: "Wh for ENERGY, seconds for times; 1 where nothing is to be rounded.",
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
    ...base,
    id: "TAR-008",
    title: "Has plausible prices",
    strength: "should",
    reference: "mod_tariffs, PriceComponent class",
    passes: "no price is negative or above what anybody pays; vat is from 0 to 100",
    hint: "Prices are per kWh and per hour, in the unit of the currency, not in cents.",
    judge: onEach(tariffs, "has price components", prices)
  },
  {
    ...base,
    id: "TAR-009",
    versions: withTaxIncluded,
    title: "Says whether prices include taxes",
    reference: "mod_tariffs, Tariff Object, TaxIncluded enum",
    passes: "tax_included is YES, NO or N/A",
    hint: "Without it nobody knows what the driver pays.",
    judge: onFlaws(tariffs, taxIncluded)
  },
  {
    ...base,
    id: "TAR-010",
    versions: withTaxIncluded,
    title: "Names no VAT where there is none",
    strength: "should",
    reference: "mod_tariffs, TaxIncluded enum, PriceComponent class",
    passes: "no price component has vat where tax_included is N/A",
    hint: "N/A says that no taxes are collected; leave vat out then.",
    judge: onEach(tariffs, "has tax_included N/A", (item) =>
      item.json["tax_included"] !== "N/A"
        ? undefined
        : componentsOf(item).flatMap(({ at, component: { vat } }) =>
            when(typeof vat === "number", () =>
              wrong(item, `${at}/vat`, "there is VAT where no tax applies", {
                expected: "no vat",
                actual: vat
              })
            )
          )
    )
  },
  {
    ...base,
    id: "TAR-012",
    versions: withLimits,
    title: "Writes limits of the price in the version's shape",
    reference: "mod_tariffs, Tariff Object; types, Price class",
    passes:
      "min_price and max_price are excl_vat and incl_vat, or before_taxes and after_taxes, as the version has it",
    hint: "A limit is an object, with the net amount in a field of its own.",
    judge: onFlaws(tariffs, limits)
  }
]

function prices(item: Placed): ReadonlyArray<Finding> | undefined {
  const components = componentsOf(item)
  if (components.length === 0) return undefined
  const known = euroLike.includes(String(item.json["currency"]))
  return components.flatMap(({ at, component: { price, type, vat } }) => {
    const most = known ? plausible[String(type)] : undefined
    return [
      ...when(typeof price === "number" && price < 0, () =>
        wrong(item, `${at}/price`, "the price is negative", { expected: "0 or more", actual: price })
      ),
      ...when(typeof price === "number" && most !== undefined && price >= most, () =>
        wrong(item, `${at}/price`, `the price of ${String(type)} is not plausible`, {
          expected: `below ${most}`,
          actual: price
        })
      ),
      ...when(typeof vat === "number" && (vat < 0 || vat > 100), () =>
        wrong(item, `${at}/vat`, "vat is no percentage", { expected: "0 to 100", actual: vat })
      )
    ]
  })
}
