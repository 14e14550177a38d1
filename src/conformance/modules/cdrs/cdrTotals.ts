/** The totals of CDRs: energy and time beside their periods, costs beside each other. */

import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { type JsonObject, objectsIn } from "../../../findings/json.ts"
import { calculateCdr, costFields } from "../../../findings/money/compare.ts"
import {
  type Decimal,
  decimal,
  decimalOf,
  hourSeconds,
  isMore,
  isZero,
  numberOf,
  over,
  plus,
  sumOf,
  zero
} from "../../../findings/money/decimal.ts"
import { periodsOf } from "../../../findings/money/periods.ts"
import { readPrice } from "../../../findings/money/price.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import { inWords } from "../../../findings/words.ts"
import type { Check } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { factorOf, grossBelowNet, isNear, spanOf, summed } from "../charge/charging.ts"
import { allCdrs } from "../charge/toldCharges.ts"
import { below, inFields, isFlawed } from "../shared/objects/objectFlaws.ts"
import { onEach, onFlaws, wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { cdrClause, cdrsBase, withCdrDetails } from "./cdrObjects.ts"

const always = () => true
const partFields = Object.values(costFields)

/** A cent of most currencies. */
const cent = 0.01
const minuteHours = 1 / 60

/**
 * Judge total energy, times and costs of CDRs against their periods and each other (mod_cdrs, CDR Object and
 * CdrDimensionType enum).
 */
export const cdrTotalsChecks: ReadonlyArray<Check> = [
  {
    ...cdrsBase,
    id: "CDR-008",
    title: "CDR: total_energy is the sum of the ENERGY volumes, in kWh",
    reference: `${cdrClause}; CdrDimensionType enum`,
    passes: "the sum of the ENERGY volumes within 0.01 kWh or 1 %",
    hint: "Take total_energy as the sum of the ENERGY volumes of all charging periods.",
    lenient: always,
    judge: onEach(allCdrs, "has energy in every period that can have it", (item) => {
      const total = decimalOf(item.json["total_energy"])
      const { some, sum } = summed(item.json, "ENERGY")
      if (total === undefined || !some) return undefined
      if (isNear(total, sum, cent)) return []
      const isInWh = factorOf(total, sum, [1000]) !== undefined
      return [
        wrong(
          item,
          "total_energy",
          `total_energy is not the sum of the ENERGY volumes${isInWh ? ": one of them is in Wh" : ""}`,
          {
            expected: `${numberOf(sum)} kWh`,
            actual: item.json["total_energy"],
            ...(isInWh ? { hint: "Write energy in kWh everywhere: divide Wh by 1000." } : {})
          }
        )
      ]
    })
  },
  {
    ...cdrsBase,
    id: "CDR-009",
    title: "CDR: total_time is the time from start to end, in hours",
    reference: cdrClause,
    passes: "the time between start and end within 60 s or 1 %",
    hint: "Write times in hours: divide seconds by 3600.",
    lenient: always,
    judge: onEach(allCdrs, "has both its times and no reservation", totalTime)
  },
  {
    ...cdrsBase,
    id: "CDR-010",
    consequenceOf: ["CDR-007"],
    title: "CDR: TIME and PARKING_TIME together agree with total_time",
    strength: "should",
    reference: "mod_cdrs, CdrDimensionType enum",
    passes:
      "their sum is total_time within 1 %, or at most that where PARKING_TIME is the time without a request for power (2.2.1, 2.3.0); no period has more time than it lasts",
    hint: "Count each moment once: as TIME while the vehicle charges, as PARKING_TIME while it does not (2.2.1, 2.3.0: while it requests no power).",
    judge: onEach(allCdrs, "has a time in every period", filledTime)
  },
  {
    ...cdrsBase,
    id: "CDR-011",
    title: "CDR: total_parking_time agrees with total_time and PARKING_TIME",
    reference: `${cdrClause}, CdrDimensionType enum`,
    passes:
      "from 0 to total_time, and the sum of PARKING_TIME within 1 %, or at least that where PARKING_TIME is the time without a request for power (2.2.1, 2.3.0)",
    hint: "Count in total_parking_time all the time in which no energy is transferred; PARKING_TIME is at most that.",
    judge: onEach(allCdrs, "has a total_parking_time", parkedTime)
  },
  {
    ...cdrsBase,
    id: "CDR-012",
    versions: withCdrDetails,
    title: "CDR: total_cost is the sum of its parts",
    reference: cdrClause,
    passes:
      "total_cost is the sum of the parts within 0.01, and no part is above it; with a min_price it may be more, with a max_price less",
    hint: "Include every amount (a rounding, a service fee) in one of the parts.",
    lenient: always,
    judge: onEach(allCdrs, "splits its cost into parts", partsAddUp)
  },
  {
    ...cdrsBase,
    id: "CDR-015",
    title: "CDR: currency is an ISO 4217 code, and the same as in its tariffs",
    strength: "should",
    reference: `${cdrClause}; mod_tariffs, Tariff Object`,
    passes: "an ISO 4217 code, the same as in its tariffs",
    hint: "Write currency with three capital letters, like EUR, and amounts in the currency of the tariff: they are not converted.",
    judge: onFlaws(
      allCdrs,
      (flaw) => flaw.pointer === "/currency" && inFields("currency")(flaw),
      (item, evidence) =>
        isFlawed(evidence, allCdrs, item, below("currency"))
          ? []
          : objectsIn(item.json["tariffs"]).flatMap((tariff, index) =>
              when(
                !isEmpty(tariff["currency"]) &&
                  tariff["currency"] !== item.json["currency"] &&
                  !isFlawed(evidence, allCdrs, item, below(`tariffs/${index}/currency`)),
                () =>
                  wrong(item, `tariffs/${index}/currency`, "the tariff has another currency than the CDR", {
                    expected: inWords(item.json["currency"]),
                    actual: tariff["currency"]
                  })
              )
            )
    )
  },
  {
    ...cdrsBase,
    id: "CDR-032",
    title: "CDR: costs have the form of the version's Price",
    reference: `${cdrClause}; types, Price class`,
    passes:
      "a number, excl_vat and incl_vat, or before_taxes and taxes, as the version has it; not less with tax than without",
    hint: "Write prices as the version has them: a number, excl_vat and incl_vat, or before_taxes and taxes.",
    judge: onFlaws(allCdrs, below("total_cost", ...partFields), (item, { profile }) =>
      grossBelowNet(item, profile, ["total_cost", ...partFields])
    )
  }
]

function hoursOf(item: Placed, { profile }: Evidence): Decimal | undefined {
  const { end, start } = spanOf(item.json, profile.cdrNames)
  return start === undefined || end === undefined || end < start
    ? undefined
    : over(decimal((end - start) / 1000), hourSeconds)
}

const reserved = ({ json }: Placed) => summed(json, "RESERVATION_TIME").some

function totalTime(item: Placed, evidence: Evidence): ReadonlyArray<Finding> | undefined {
  const total = decimalOf(item.json["total_time"])
  const hours = hoursOf(item, evidence)
  if (total === undefined || hours === undefined || reserved(item)) return undefined
  if (isNear(total, hours, minuteHours)) return []
  const factor = factorOf(total, hours, [60, 3600])
  const unit = factor === undefined ? "" : factor === 60 ? ": it is in minutes" : ": it is in seconds"
  return [
    wrong(item, "total_time", `total_time is not the time from start to end${unit}`, {
      expected: `${numberOf(hours)} hours`,
      actual: item.json["total_time"]
    })
  ]
}

function filledTime(item: Placed, evidence: Evidence): ReadonlyArray<Finding> | undefined {
  const { profile } = evidence
  const total = decimalOf(item.json["total_time"])
  const periods = periodsOf(item.json["charging_periods"], spanOf(item.json, profile.cdrNames))
  const timed = periods.map(({ end, index, start, volumes }) => ({
    index,
    time: sumOf(["TIME", "PARKING_TIME"].flatMap((type) => volumes.get(type) ?? [])),
    has: volumes.has("TIME") || volumes.has("PARKING_TIME"),
    length:
      start === undefined || end === undefined || end < start
        ? undefined
        : over(decimal((end - start) / 1000), hourSeconds)
  }))
  if (total === undefined || timed.length === 0 || !timed.every(({ has }) => has) || reserved(item))
    return undefined
  const sum = sumOf(timed.map(({ time }) => time))
  const isWhole = profile.parkingTime === "not_charging"
  const tooLong = timed.flatMap(({ index, length, time }) =>
    length === undefined || !isMore(time, length) || isNear(time, length, 0.001)
      ? []
      : wrong(item, `charging_periods/${index}/dimensions`, "the period counts more time than it lasts", {
          expected: `at most ${numberOf(length)} hours`,
          actual: numberOf(time)
        })
  )
  const hours = hoursOf(item, evidence)
  // A vehicle that requests power and gets none is neither charging nor parked where PARKING_TIME is that of no request.
  const agrees = (time: Decimal) => isNear(sum, time, 0.001) || (!isWhole && isMore(time, sum))
  // What agrees with the times of the CDR, but not with its total_time, is a finding of CDR-009.
  const isRight = agrees(total) || (hours !== undefined && agrees(hours))
  const message = isWhole
    ? "total_time is not the sum of TIME and PARKING_TIME"
    : "total_time is less than the sum of TIME and PARKING_TIME"
  return isRight
    ? tooLong
    : [
        wrong(item, "total_time", message, {
          expected: `${isWhole ? "" : "at least "}${numberOf(sum)} hours`,
          actual: item.json["total_time"]
        }),
        ...tooLong
      ]
}

function parkedTime(item: Placed, { profile }: Evidence): ReadonlyArray<Finding> | undefined {
  const parked = decimalOf(item.json["total_parking_time"])
  const total = decimalOf(item.json["total_time"])
  if (parked === undefined) return undefined
  const { some, sum } = summed(item.json, "PARKING_TIME")
  const wrongly = (expected: string) => [
    wrong(item, "total_parking_time", `total_parking_time is not ${expected}`, {
      expected,
      actual: item.json["total_parking_time"]
    })
  ]
  if (isMore(zero, parked)) return wrongly("0 or more")
  if (total !== undefined && isMore(parked, total) && !isNear(parked, total, 0.0001))
    return wrongly(`at most total_time, ${numberOf(total)}`)
  if (!some || isNear(parked, sum, 0.001)) return []
  if (profile.parkingTime === "not_charging") return wrongly(`the sum of PARKING_TIME, ${numberOf(sum)}`)
  return isMore(sum, parked) ? wrongly(`at least the sum of PARKING_TIME, ${numberOf(sum)}`) : []
}

/**
 * Each part is optional by itself (mod_cdrs, CDR Object), so one that is left out is not 0: does the CDR leave out a part
 * that its tariffs come to, or any part where it has no tariffs?
 */
function isSplitInPart(cdr: JsonObject, profile: Evidence["profile"]): boolean {
  const leftOut = Object.entries(costFields).filter(([, field]) => (cdr[field] ?? null) === null)
  if (objectsIn(cdr["tariffs"]).length === 0) return leftOut.length > 0
  const { parts } = calculateCdr(profile, cdr)
  return leftOut.some(([part]) => {
    const amount = parts[part as keyof typeof parts]
    return amount !== undefined && !isZero(amount.net)
  })
}

function partsAddUp(item: Placed, evidence: Evidence): ReadonlyArray<Finding> | undefined {
  const { profile } = evidence
  if (isFlawed(evidence, allCdrs, item, below("total_cost", ...partFields))) return undefined
  const total = readPrice(profile, item.json["total_cost"])
  const parts = partFields.flatMap((field) => {
    const amount = readPrice(profile, item.json[field])
    return amount === undefined ? [] : [{ field, net: amount.net }]
  })
  if (total === undefined || parts.length === 0) return undefined
  // A Credit CDR negates its total only.
  if (isMore(zero, total.net)) return undefined
  // A limit of the price moves the total away from its parts: a least price up, a highest one down.
  const [isRaised, isLowered] = ["min_price", "max_price"].map((limit) =>
    objectsIn(item.json["tariffs"]).some((tariff) => !isEmpty(tariff[limit]))
  )
  const sum = sumOf(parts.map(({ net }) => net))
  const above = parts.filter(({ net }) => isMore(net, plus(total.net, decimal(cent))))
  if (above.length > 0 && !isLowered)
    return above.map(({ field, net }) =>
      wrong(item, field, "a part of the cost is more than the total", {
        expected: `at most ${numberOf(total.net)}`,
        actual: numberOf(net)
      })
    )
  const off = numberOf(total.net) - numberOf(sum)
  if (off > cent && (isRaised || isSplitInPart(item.json, profile))) return undefined
  if (off < -cent && isLowered) return undefined
  return unless(Math.abs(off) <= cent + 1e-9, () =>
    wrong(
      item,
      "total_cost",
      `the parts (${parts.map(({ field }) => field).join(", ")}) do not add up to the total`,
      {
        expected: `${numberOf(sum)}`,
        actual: numberOf(total.net)
      }
    )
  )
}
