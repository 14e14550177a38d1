/** What a CPO takes from a payment terminal provider (mod_payments, Receiver Interface). */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { succeeded } from "../../../findings/answers.ts"
import { accepted, invalidParameters } from "../../../findings/expectations.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { type Check, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { taken } from "../shared/takenWrites.ts"
import { testConfirmation, testTerminal } from "./paymentsProbes.ts"

const base = {
  module: "payments",
  versions: versionsWhere(({ modules }) => modules.includes("payments")),
  roles: ["CPO"],
  mode: "MUT",
  strength: "must"
} as const

const whoMayPost: Ambiguity = {
  readings: [
    "whoever is registered may post where the module is offered",
    "only a provider that the CPO has agreed with may post, for what it knows of"
  ],
  section: "mod_payments, Receiver Interface"
}

/**
 * The receiver accepts the object, and answers a GET with it as it was posted. The specification does not say which party may
 * post, so a receiver that refuses breaks a `should` at most.
 */
const posted = (evidence: Evidence, probe: string, json: JsonObject): Judgement => {
  const seen = stepOf(evidence, `${probe}#post`)
  if (seen === undefined) return taken(evidence, `${probe}#post`)
  if (succeeded(seen)) return judgeReadBack(evidence, `${probe}#read back`, json, { main: true })
  return noneOf(accepted(seen).map((found) => ({ ...found, ambiguous: whoMayPost, strength: "should" })))
}

/** Judge how a CPO takes terminals and financial advice confirmations (mod_payments, Receiver Interface). */
export const paymentsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "PAY-002",
    title: "POST of a new terminal is accepted and GET returns it",
    reference: "mod_payments, Receiver Interface; Terminal Object",
    sends: "POST of a terminal without a location, then GET; it cannot be deleted and stays",
    passes: "HTTP 200 or 201, status_code 1000, and GET by its terminal_id returns it",
    hint: "Store every field of the terminal, and find it by its terminal_id.",
    needs: () => ["payments.terminal#post", "payments.terminal#read back"],
    judge: (evidence) => posted(evidence, "payments.terminal", testTerminal(evidence))
  },
  {
    ...base,
    id: "PAY-004",
    title:
      "POST of a FinancialAdviceConfirmation is accepted and returned by GET, and refused without eft_data",
    reference: "mod_payments, Receiver Interface; Financial Advice Confirmation Object",
    sends:
      "POST of a confirmation of 0 EUR, then GET, then POST of one without eft_data; it cannot be deleted and stays",
    passes: "GET by its id returns it, and the one without eft_data is answered status_code 2001",
    hint: "Store every field of the confirmation, and refuse one without eft_data.",
    needs: () => ["post", "read back", "lacking"].map((step) => `payments.confirmation#${step}`),
    judge: (evidence) => {
      const whole = posted(evidence, "payments.confirmation", testConfirmation(evidence))
      const post = stepOf(evidence, "payments.confirmation#post")
      const lacking = stepOf(evidence, "payments.confirmation#lacking")
      // Where the complete confirmation was refused too, refusing this one proves nothing.
      const isJudged =
        lacking !== undefined && ((post !== undefined && succeeded(post)) || succeeded(lacking))
      const more = isJudged ? invalidParameters(lacking) : []
      return more.length === 0 ? whole : noneOf([...(whole.is === "fail" ? whole.findings : []), ...more])
    }
  }
]
