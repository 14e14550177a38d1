/** The stage in which the partner credits a CDR by a Credit CDR. */

import { type JsonObject, sameId } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import { cardWishes } from "../../../party/simulation/chargePoint/scriptedCards.ts"
import type { JourneyStage, Ruling } from "../../model/JourneyTemplate.ts"
import { cdrsOf } from "../../model/partnerPushes.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import { misfit, sameAmount } from "../../model/rulings.ts"
import { setOffByStop } from "../charge/catchUps.ts"
import { amountOf, isOurCdr, ourCdr } from "../charge/chargeFacts.ts"
import { appDriver, type Driver, differs } from "../charge/driver.ts"

/** A driver whose CDR a sandbox partner credits. */
export const creditedDriver: Driver = { ...appDriver, visualNumber: cardWishes.credited }

const creditsOf = (history: RunHistory): ReadonlyArray<JsonObject> =>
  cdrsOf(history)
    .map(({ body }) => body)
    .filter((body) => body["credit"] === true && isOurCdr(history, body))

/** CDRs of the charge that came after the first one, and are no Credit CDR. */
const otherCdrs = (history: RunHistory): ReadonlyArray<string> =>
  cdrsOf(history)
    .filter(({ body, pushed }) => pushed && body["credit"] !== true && isOurCdr(history, body))
    .slice(1)
    .map(({ body }) => `CDR ${inWords(body["id"])} of the session came, and its credit is not true`)

const ofCredit =
  (judge: (credit: JsonObject, cdr: JsonObject, history: RunHistory) => Ruling) =>
  (history: RunHistory): Ruling => {
    const [credit] = creditsOf(history)
    const cdr = ourCdr(history)
    return credit === undefined || cdr === undefined
      ? { notTested: "There is no CDR with its Credit CDR" }
      : judge(credit, cdr.body, history)
  }

const must = { strength: "must", reference: "mod_cdrs, Credit CDRs" } as const

/** Stage `credit-cdr`: the partner posts the Credit CDR. */
export const creditPushed: JourneyStage = {
  id: "credit-cdr",
  name: "The CDR is credited",
  actor: "partner",
  module: "cdrs",
  description: "A person at the partner credits the CDR, and the partner posts the Credit CDR.",
  timeoutSeconds: 600,
  act: {
    act: "await",
    instruction: (history) =>
      `Take back CDR ${inWords(ourCdr(history)?.body["id"] ?? "of the session")}: the partner must POST a CDR with credit true, credit_reference_id of that CDR, and the total negated.`,
    look: (history) => ({ found: creditsOf(history).length > 0, nearMisses: otherCdrs(history) })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  setOffBy: setOffByStop,
  expect: [
    {
      id: "credit-cdr.received",
      begunByPerson: true,
      title: "The partner posts the Credit CDR",
      ...must,
      setOffBy: setOffByStop,
      judge: (history) =>
        creditsOf(history).length > 0
          ? undefined
          : {
              message: "The partner posted no Credit CDR in time",
              expected: "one POST to cdrs",
              actual: "none"
            }
    },
    {
      id: "credit-cdr.shape",
      title: "The Credit CDR is a valid CDR object",
      ...must,
      judge: ofCredit((credit, _, { profile }) => misfit(profile, "CDR", credit))
    },
    {
      id: "credit-cdr.reference",
      title: "The Credit CDR names the credited CDR in credit_reference_id, and has an id of its own",
      ...must,
      judge: ofCredit((credit, cdr) =>
        sameId(credit["id"], cdr["id"])
          ? { message: "The Credit CDR has the same id as the CDR that it credits", pointer: "/id" }
          : differs("credit_reference_id", "/credit_reference_id", credit["credit_reference_id"], cdr["id"])
      )
    },
    {
      id: "credit-cdr.total",
      title: "total_cost of the Credit CDR is the negative total_cost of the CDR",
      ...must,
      judge: ofCredit((credit, cdr) => {
        const [back, billed] = [amountOf(credit["total_cost"]), amountOf(cdr["total_cost"])]
        if (back === undefined || billed === undefined) return { notTested: "An amount is missing" }
        return sameAmount(back, -billed)
          ? undefined
          : {
              message: "total_cost of the Credit CDR is not the negative total_cost of the CDR",
              pointer: "/total_cost",
              expected: `${-billed}`,
              actual: `${back}`
            }
      })
    }
  ]
}
