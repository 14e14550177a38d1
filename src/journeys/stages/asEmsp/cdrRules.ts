/** Rules for the CDR of the session. */

import { belowEndpoint } from "../../../findings/calledPath.ts"
import type { Rule } from "../../model/JourneyTemplate.ts"
import { orLeftToRead } from "../../model/partnerPushes.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import { misfit } from "../../model/rulings.ts"
import { setOffByStop } from "../charge/catchUps.ts"
import { cdrBelowEndpoint, ourCdr } from "../charge/chargeFacts.ts"

const missingCdr = {
  message: "The partner posted no CDR of our session in time",
  expected: "one POST to cdrs",
  actual: "none"
}

/** The finding that the CDR was posted below our endpoint; undefined when none was. */
const misplacedCdr = (history: RunHistory) => {
  const exchange = cdrBelowEndpoint(history)
  if (exchange === undefined) return undefined
  const actual = ["POST cdrs", ...belowEndpoint(exchange)].join("/")
  return {
    message: `The partner posted the CDR of our session below our endpoint, where it does not arrive: ${actual}`,
    expected: "POST cdrs, with nothing added to the URL of the endpoint",
    actual
  }
}

/** Rules of stage `cdr`. */
export const cdrRules: ReadonlyArray<Rule> = [
  {
    id: "cdr.received",
    title: "The partner posts the CDR of the session",
    // OCPI allows a CDR to come much later than the session's end.
    strength: "should",
    reference: "mod_cdrs, Receiver Interface, POST Method",
    checkId: "JRN-002",
    setOffBy: setOffByStop,
    judge: orLeftToRead(
      (history) => ourCdr(history) !== undefined,
      (history) => (ourCdr(history)?.pushed === true ? undefined : (misplacedCdr(history) ?? missingCdr))
    )
  },
  {
    id: "cdr.shape",
    title: "The CDR is a valid CDR object",
    strength: "must",
    reference: "mod_cdrs, CDR Object",
    judge: (history) => {
      const cdr = ourCdr(history)
      return cdr === undefined
        ? { notTested: "The partner sent no CDR" }
        : misfit(history.profile, "CDR", cdr.body)
    }
  }
]
