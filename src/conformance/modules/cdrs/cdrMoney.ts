/** The cost of CDRs, calculated again from their own tariffs and periods. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { given, unless } from "../../../findings/finding.ts"
import { isObject, type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import type { Calculation } from "../../../findings/money/calculate.ts"
import { calculateCdr, differences, type PriceDifference } from "../../../findings/money/compare.ts"
import {
  type Decimal,
  decimal,
  decimalOf,
  isMore,
  isZero,
  numberOf,
  plus,
  roundingPolicy,
  shown,
  zero
} from "../../../findings/money/decimal.ts"
import { explain } from "../../../findings/money/explain.ts"
import { grossOf, readPrice } from "../../../findings/money/price.ts"
import type { Check } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { isNear, placeIdsOf, resolve } from "../charge/charging.ts"
import { switchPoints } from "../charge/switchPoints.ts"
import { allCdrs } from "../charge/toldCharges.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"
import { isFlawed, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { onEach, wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { cdrsBase } from "./cdrObjects.ts"

/** Flaws in what a cost is calculated from, and in the cost itself. */
const ofCalculation = ({ pointer }: SchemaFlaw) =>
  /^\/(charging_periods|tariffs\/\d+\/elements|total_cost)(\/|$)/.test(pointer)
/** Flaws in the ids of tariffs, and in those that periods name. */
const ofTariffIds = ({ pointer }: SchemaFlaw) =>
  /^\/(tariffs(\/\d+(\/id)?)?|charging_periods\/\d+\/tariff_id)$/.test(pointer)

const limited = versionsWhere(({ priceLimitGross }) => priceLimitGross !== null)

/** Tolerance of a total, in the CDR's currency; 1 % of the total where that is more. */
const tolerance = 0.05
const cent = 0.01
/** Lines of the calculation that a finding shows. */
const linesShown = 12

/** Judge the cost of CDRs by their own tariffs and periods (mod_tariffs, Tariff Object; mod_cdrs, ChargingPeriod class). */
export const cdrMoneyChecks: ReadonlyArray<Check> = [
  {
    ...cdrsBase,
    id: "CDR-013",
    title: "CDR: total_cost follows from its tariffs and charging periods",
    strength: "should",
    reference: "mod_tariffs, Tariff Object, PriceComponent class; mod_cdrs, CDR Object",
    passes: `total_cost is the calculated one within ${tolerance} or 1 %; rounding: ${roundingPolicy}`,
    hint: "Compare your calculation with that of the message, line by line, until they differ.",
    judge: onEach(
      allCdrs,
      "carries tariffs by which its cost can be calculated for sure",
      (item, evidence) => {
        const calculated = calculation(item, evidence)
        if (calculated === undefined || calculated.unknowns.length > 0) return undefined
        const found = differences(evidence.profile, item.json, calculated)
        const total = found.find(({ field }) => field === "total_cost")
        // A Credit CDR has a negated cost, which CDR-019 judges.
        if (total === undefined || item.json["credit"] === true) return undefined
        if (isFlawed(evidence, allCdrs, item, ofCalculation)) return undefined
        // Without a period everything costs nothing: CDR-006 reports that there is none.
        if (objectsIn(item.json["charging_periods"]).length === 0) return undefined
        return unless(isNear(total.stated.net, total.calculated.net, tolerance), () => {
          const why = reasonOf(total, calculated, calculation(item, evidence, "ignored"))
          return costsOtherwise(item, total, [...why, ...partsOf(found), ...linesOf(calculated)])
        })
      }
    )
  },
  {
    ...cdrsBase,
    id: "CDR-014",
    versions: versionsWhere(({ periodTariff }) => periodTariff),
    title: "ChargingPeriod: tariff_id is the id of a tariff in the CDR",
    strength: "should",
    reference: "mod_cdrs, ChargingPeriod class",
    passes: "each tariff_id is the id of a tariff in the CDR",
    hint: "Put every tariff that was used into tariffs of the CDR, as it was at that time.",
    judge: onEach(allCdrs, "names a tariff in a period", (item, evidence) => {
      if (isFlawed(evidence, allCdrs, item, ofTariffIds)) return undefined
      const periods = objectsIn(item.json["charging_periods"])
      if (periods.every((period) => textIn(period["tariff_id"]) === undefined)) return undefined
      return periods.flatMap((period, index) => {
        const id = textIn(period["tariff_id"])
        return unless(
          id === undefined || objectsIn(item.json["tariffs"]).some((tariff) => sameId(tariff["id"], id)),
          () =>
            wrong(item, `charging_periods/${index}/tariff_id`, "the tariff is not in the CDR", {
              expected: "the id of a tariff in the CDR",
              actual: id
            })
        )
      })
    })
  },
  {
    ...cdrsBase,
    id: "CDR-030",
    versions: limited,
    title: "CDR: total_cost is within min_price and max_price of its tariff",
    strength: "should",
    reference: "mod_tariffs, Tariff Object",
    passes: "total_cost is within the limits of its tariff, before and after tax",
    hint: "Apply the limits to the cost of the whole session, before and after tax separately.",
    judge: onEach(allCdrs, "has a tariff with limits of its price", beyondLimits)
  },
  {
    ...cdrsBase,
    id: "CDR-033",
    title: "ChargingPeriod: a new period begins when the price changes",
    strength: "should",
    reference: "mod_cdrs, ChargingPeriod class; mod_tariffs, TariffRestrictions class",
    passes: "within 60 s or 2 % of each moment at which the tariff switches",
    hint: "Start a new charging period at each switch, so that both sides price the same parts.",
    judge: onEach(allCdrs, "has a tariff that switches within its session", (item, evidence) =>
      switchPoints(item, evidence.profile, zoneOf(item, evidence))
    )
  }
]

/** The calculated cost; undefined without tariffs. */
function calculation(
  item: Placed,
  evidence: Evidence,
  steps: "counted" | "ignored" = "counted"
): Calculation | undefined {
  return objectsIn(item.json["tariffs"]).length === 0
    ? undefined
    : calculateCdr(evidence.profile, item.json, { timeZone: zoneOf(item, evidence), steps })
}

/** Of the embedded location, or of the same one in the list of locations where that was read. */
function zoneOf({ json }: Placed, evidence: Evidence): string | undefined {
  const embedded = textIn(objectIn(json["location"])["time_zone"])
  if (embedded !== undefined) return embedded
  const found = resolve(objectsOf(evidence, "locations"), placeIdsOf(json, evidence.profile, "cdrs"))
  return "missing" in found ? undefined : textIn(found.location["time_zone"])
}

/** `says`: what follows the two amounts, one piece of the sentence each. */
const costsOtherwise = (item: Placed, total: PriceDifference, says: ReadonlyArray<string>): Finding =>
  wrong(
    item,
    "total_cost",
    [
      `total_cost is ${shown(total.stated.net)}, by its own tariff it is ${shown(total.calculated.net)}`,
      ...says
    ].join("; "),
    { expected: shown(total.calculated.net), actual: numberOf(total.stated.net) }
  )

/** Why the stated amount is another, where one of two usual mistakes explains it; `unstepped`: as if without step_size. */
function reasonOf(
  total: PriceDifference,
  calculated: Calculation,
  unstepped: Calculation | undefined
): ReadonlyArray<string> {
  const ours = calculated.total.net
  const isStated = (amount: Decimal) => isNear(total.stated.net, amount, cent) && !isNear(amount, ours, cent)
  const gross = grossOf(calculated.total)
  if (gross !== undefined && isStated(gross)) return ["the stated amount is the one with tax"]
  const net = unstepped?.total.net
  return net !== undefined && !isZero(net) && isStated(net)
    ? ["without step_size the stated amount is right"]
    : []
}

/** The other amounts of the CDR that differ by more than a cent. */
const partsOf = (found: ReadonlyArray<PriceDifference>): ReadonlyArray<string> =>
  found
    .filter(({ field, net }) => field !== "total_cost" && isMore(magnitude(net), decimal(cent)))
    .map(
      ({ calculated: ours, field, stated }) =>
        `${field} says ${shown(stated.net)}, calculated ${shown(ours.net)}`
    )

/** The first lines of the calculation, and the last two. */
function linesOf(calculated: Calculation): ReadonlyArray<string> {
  const lines = explain(calculated)
  return lines.length > linesShown ? [...lines.slice(0, linesShown), "…", ...lines.slice(-2)] : lines
}

function beyondLimits(item: Placed, { profile }: Evidence): ReadonlyArray<Finding> | undefined {
  const withLimits = objectsIn(item.json["tariffs"]).filter(
    (tariff) => isObject(tariff["min_price"]) || isObject(tariff["max_price"])
  )
  const [tariff, ...others] = withLimits
  const total = readPrice(profile, item.json["total_cost"])
  if (tariff === undefined || others.length > 0 || total === undefined || item.json["credit"] === true)
    return undefined
  const gross = grossOf(total)
  return [
    ...beyond(item, tariff, profile.price, total.net),
    ...(gross === undefined || profile.priceLimitGross === null
      ? []
      : beyond(item, tariff, profile.priceLimitGross, gross))
  ]
}

function beyond(item: Placed, tariff: JsonObject, field: string, value: Decimal): ReadonlyArray<Finding> {
  const [least, most] = ["min_price", "max_price"].map((name) => decimalOf(objectIn(tariff[name])[field]))
  const is = (name: string, limit: Decimal | undefined, isBeyond: (limit: Decimal) => boolean) =>
    given(limit !== undefined && isBeyond(limit) ? limit : undefined, (limit) =>
      wrong(item, "total_cost", `total_cost is beyond the ${name} of its tariff (${field})`, {
        expected: `${name} ${shown(limit)}`,
        actual: numberOf(value)
      })
    )
  return [
    ...is("min_price", least, (limit) => isMore(limit, plus(value, decimal(cent)))),
    ...is("max_price", most, (limit) => isMore(value, plus(limit, decimal(cent))))
  ]
}

function magnitude(value: Decimal): Decimal {
  return isMore(zero, value) ? plus(zero, decimal(-numberOf(value))) : value
}
