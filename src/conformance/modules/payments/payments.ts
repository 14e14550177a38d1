/** What a CPO takes from a payment terminal provider (mod_payments, Receiver Interface). */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { succeeded } from "../../../findings/answers.ts"
import { accepted } from "../../../findings/expectations.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { type Check, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { stepOf } from "../shared/waiting.ts"
import { refusedAsInvalid, taken } from "../shared/writing.ts"
import { testConfirmation, testTerminal } from "./paymentsProbes.ts"

const base = {
  module: "payments",
  versions: versionsWhere(({ modules }) => modules.includes("payments")),
  roles: ["CPO"],
  mode: "MUT",
  strength: "must"
} as const

/** Kept as it was posted. Who may post is not said: a refusal can be read in two ways. */
const posted = (evidence: Evidence, probe: string, json: JsonObject): Judgement => {
  const seen = stepOf(evidence, `${probe}#post`)
  if (seen === undefined) return taken(evidence, `${probe}#post`)
  if (succeeded(seen)) return judgeReadBack(evidence, `${probe}#read back`, json, { main: true })
  const readings =
    "whoever is registered may post where the module is offered; or only a provider that the CPO has agreed with, for what it knows of"
  return noneOf(
    accepted(seen).map((found) => ({
      ...found,
      message: `${found.message}: ${readings}`,
      strength: "should"
    }))
  )
}

export const paymentsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "PAY-002",
    title: "Keeps a payment terminal",
    reference: "mod_payments, Receiver Interface; Terminal Object",
    sends: "POST of a terminal that stands nowhere, then GET; it cannot be deleted and stays",
    passes: "HTTP 200 or 201, status_code 1000, and GET by its terminal_id gives it back",
    hint: "Keep every field of the terminal, and find it by its terminal_id.",
    needs: () => ["payments.terminal#post", "payments.terminal#read back"],
    judge: (evidence) => posted(evidence, "payments.terminal", testTerminal(evidence))
  },
  {
    ...base,
    id: "PAY-004",
    title: "Keeps what was really taken",
    reference: "mod_payments, Receiver Interface; FinancialAdviceConfirmation Object",
    sends:
      "POST of a confirmation that nothing was taken, then GET, then POST of one without eft_data; it cannot be deleted and stays",
    passes: "GET by its id gives it back, and the one without eft_data is answered 2001",
    hint: "Keep every field of the confirmation, and refuse one that lacks eft_data.",
    needs: () => ["post", "read back", "lacking"].map((step) => `payments.confirmation#${step}`),
    judge: (evidence) => {
      const whole = posted(evidence, "payments.confirmation", testConfirmation(evidence))
      const post = stepOf(evidence, "payments.confirmation#post")
      const lacking = stepOf(evidence, "payments.confirmation#lacking")
      // Who refuses the good one says nothing by refusing the other.
      const isJudged =
        lacking !== undefined && ((post !== undefined && succeeded(post)) || succeeded(lacking))
      const more = isJudged ? refusedAsInvalid(lacking) : []
      return more.length === 0 ? whole : noneOf([...(whole.is === "fail" ? whole.findings : []), ...more])
    }
  }
]
