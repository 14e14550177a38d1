/** Whether authorize answers the same while a location is open, INOPERATIVE and closed (mod_tokens, POST authorize). */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, statusLine } from "../../../findings/answers.ts"
import { finding } from "../../../findings/finding.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { openVerdict, poorVerdicts } from "./verdictPlacesProbes.ts"

const allowedIn = (seen: Answered) => textIn(objectIn(dataOf(seen))["allowed"])

/** Judge that allowed does not depend on the state of a location (mod_tokens, Sender Interface, POST Method). */
export const verdictPlacesChecks: ReadonlyArray<Check> = [
  {
    id: "TOK-027",
    title: "authorize: allowed does not depend on the state of the location or EVSE",
    module: "tokens",
    versions: versionsWhere(({ authorizationDetails }) => authorizationDetails),
    roles: ["EMSP"],
    mode: "MUT",
    strength: "must",
    reference: "mod_tokens, Sender Interface, POST Method",
    sends:
      "PUT of an unpublished location of ours, then POST authorize there: while it is open, INOPERATIVE, and closed",
    passes: "where the answer is ALLOWED at the open location, it is ALLOWED in all its states",
    hint: "Leave the status of the EVSE and the opening times to the CPO: it asks because a driver stands there.",
    needs: () => [openVerdict, ...poorVerdicts],
    judge: (evidence) => {
      const open = stepOf(evidence, openVerdict)
      const before = open === undefined ? undefined : allowedIn(open)
      return before === "ALLOWED"
        ? noneOf(
            poorVerdicts
              .flatMap(evidence.answered)
              .filter((seen) => allowedIn(seen) !== "ALLOWED")
              .map((seen) =>
                finding(seen, `${named(seen)} was answered ${shown(allowedIn(seen) ?? statusLine(seen))}`, {
                  expected: "ALLOWED, as at the same place while it is open",
                  actual: allowedIn(seen) ?? statusLine(seen),
                  pointer: "/data/allowed"
                })
              )
          )
        : inconclusive("unobservable", `the token is not allowed at our place in any state: ${shown(before)}`)
    }
  }
]
