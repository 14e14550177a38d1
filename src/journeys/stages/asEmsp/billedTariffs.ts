/** Rules on the cost of a CDR, by its own tariffs and periods. */

import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { calculateCdr } from "../../../findings/money/compare.ts"
import { numberOf } from "../../../findings/money/decimal.ts"
import type { JourneyStage, Rule, Ruling } from "../../model/JourneyTemplate.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import { amountOf, ourCdr } from "../charge/chargeFacts.ts"

const should = { strength: "should" } as const

/** Tolerated difference, because partners round differently: in the CDR's currency, and relative to the cost. */
const tolerance = 0.05
const relativeTolerance = 0.01

const ofCdr =
  (judge: (cdr: JsonObject, history: RunHistory) => Ruling) =>
  (history: RunHistory): Ruling => {
    const cdr = ourCdr(history)
    return cdr === undefined
      ? { notTested: "The partner sent no CDR of our session" }
      : judge(cdr.body, history)
  }

const billedRules: ReadonlyArray<Rule> = [
  {
    id: "billed-tariffs.carried",
    title: "The CDR contains every tariff that its charging periods name",
    ...should,
    reference: "mod_cdrs, CDR Object",
    checkId: "CDR-014",
    judge: ofCdr((cdr, { profile }) => {
      if (!profile.periodTariff) return { notTested: "Periods of this version name no tariff" }
      const carried = objectsIn(cdr["tariffs"]).map(({ id }) => id)
      const named = objectsIn(cdr["charging_periods"]).flatMap(({ tariff_id }) => textIn(tariff_id) ?? [])
      const lacking = named.find((id) => !carried.some((one) => sameId(one, id)))
      return lacking === undefined
        ? undefined
        : {
            message: "The CDR lacks a tariff that one of its charging periods names",
            pointer: "/tariffs",
            expected: lacking,
            actual: carried.join(", ") || "none"
          }
    })
  },
  {
    id: "billed-tariffs.cost",
    title: "total_cost of the CDR follows from its tariffs and charging periods",
    ...should,
    reference: "mod_cdrs, CDR Object",
    checkId: "CDR-013",
    judge: ofCdr((cdr, { profile }) => {
      const billed = amountOf(cdr["total_cost"])
      const timeZone = textIn(objectIn(cdr["location"])["time_zone"])
      const { total, unknowns } = calculateCdr(profile, cdr, { timeZone })
      if (billed === undefined || unknowns.length > 0)
        return { notTested: `The cost cannot be calculated: it lacks ${unknowns[0] ?? "a total"}` }
      const due = numberOf(total.net)
      return Math.abs(billed - due) <= Math.max(tolerance, Math.abs(due) * relativeTolerance)
        ? undefined
        : {
            message: "total_cost differs from the cost by tariffs and charging periods",
            pointer: "/total_cost",
            expected: `${due}`,
            actual: `${billed}`
          }
    })
  }
]

/** Stage `billed-tariffs`: calculates the CDR's cost after a change of tariff. */
export const billedByTariffs: JourneyStage = {
  id: "billed-tariffs",
  name: "Billed by both tariffs",
  actor: "us",
  module: "cdrs",
  description: "Calculate the CDR's cost from the tariffs and periods in it.",
  timeoutSeconds: 1,
  act: { act: "judge" },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: billedRules
}
