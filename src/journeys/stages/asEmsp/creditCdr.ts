/** A CDR that is taken back by a Credit CDR. */
import { type JsonObject, sameId } from "../../../findings/json.ts"
import { cardWishes } from "../../../party/simulation/chargePoint/scriptedCards.ts"
import type { JourneyStage, Ruling } from "../../model/JourneyTemplate.ts"
import { cdrsOf } from "../../model/partnerPushes.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import { misfit, sameAmount } from "../../model/rulings.ts"
import { setOffByStop } from "../charge/catchUps.ts"
import { amountOf, isOurCdr, ourCdr } from "../charge/chargeFacts.ts"
import { appDriver, type Driver, differs } from "../charge/driver.ts"

/** A driver whose bill is wrong. */
export const creditedDriver: Driver = { ...appDriver, visualNumber: cardWishes.credited }

const creditsOf = (history: RunHistory): ReadonlyArray<JsonObject> =>
  cdrsOf(history)
    .map(({ body }) => body)
    .filter((body) => body["credit"] === true && isOurCdr(history, body))

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

export const creditPushed: JourneyStage = {
  id: "credit-cdr",
  name: "The CDR is taken back",
  actor: "partner",
  module: "cdrs",
  description: "Somebody at the partner takes the CDR back, and the partner posts the Credit CDR.",
  timeoutSeconds: 600,
  act: {
    act: "await",
    instruction: (history) =>
      `Take back CDR ${String(ourCdr(history)?.body["id"] ?? "")}: the partner must POST a CDR with credit true, credit_reference_id of that CDR, and the total negated.`,
    look: (history) => ({ found: creditsOf(history).length > 0, nearMisses: [] })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  setOffBy: setOffByStop,
  expect: [
    {
      id: "credit-cdr.received",
      title: "The Credit CDR is pushed",
      ...must,
      setOffBy: setOffByStop,
      judge: (history) =>
        creditsOf(history).length > 0
          ? undefined
          : { message: "No Credit CDR came in time", expected: "one POST to cdrs", actual: "none" }
    },
    {
      id: "credit-cdr.shape",
      title: "The Credit CDR is complete and well formed",
      ...must,
      judge: ofCredit((credit, _, { profile }) => misfit(profile, "CDR", credit))
    },
    {
      id: "credit-cdr.reference",
      title: "It names the CDR that it takes back, and has an id of its own",
      ...must,
      judge: ofCredit((credit, cdr) =>
        sameId(credit["id"], cdr["id"])
          ? { message: "The Credit CDR has the id of the CDR that it takes back", pointer: "/id" }
          : differs("credit_reference_id", "/credit_reference_id", credit["credit_reference_id"], cdr["id"])
      )
    },
    {
      id: "credit-cdr.total",
      title: "Its total is the CDR's with the other sign",
      ...must,
      judge: ofCredit((credit, cdr) => {
        const [back, billed] = [amountOf(credit["total_cost"]), amountOf(cdr["total_cost"])]
        if (back === undefined || billed === undefined) return { notTested: "An amount is missing" }
        return sameAmount(back, -billed)
          ? undefined
          : {
              message: "The Credit CDR does not take the amount back",
              pointer: "/total_cost",
              expected: String(-billed),
              actual: String(back)
            }
      })
    }
  ]
}
