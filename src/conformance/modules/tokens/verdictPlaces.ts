/** Verdicts of an EMSP do not depend on what a place can do just now (mod_tokens, POST authorize). */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, statusLine } from "../../../findings/answers.ts"
import { finding } from "../../../findings/finding.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { stepOf } from "../shared/waiting.ts"
import { openVerdict, poorVerdicts } from "./verdictPlacesProbes.ts"

const verdictOf = (seen: Answered) => textIn(objectIn(dataOf(seen))["allowed"])

export const verdictPlacesChecks: ReadonlyArray<Check> = [
  {
    id: "TOK-027",
    title: "Judges the token, not the state of the place",
    module: "tokens",
    versions: versionsWhere(({ authorizationDetails }) => authorizationDetails),
    roles: ["EMSP"],
    mode: "MUT",
    strength: "must",
    reference: "mod_tokens, Sender Interface, POST Method",
    sends:
      "PUT of a location of ours that nobody is to find, then POST authorize there: while it is open, INOPERATIVE, and closed",
    passes: "ALLOWED at the open place is ALLOWED in all its states",
    hint: "Leave the state of the EVSE and the opening times to the CPO: it asks because a driver stands there.",
    needs: () => [openVerdict, ...poorVerdicts],
    judge: (evidence) => {
      const open = stepOf(evidence, openVerdict)
      const before = open === undefined ? undefined : verdictOf(open)
      return before === "ALLOWED"
        ? noneOf(
            poorVerdicts
              .flatMap(evidence.answered)
              .filter((seen) => verdictOf(seen) !== "ALLOWED")
              .map((seen) =>
                finding(seen, `${named(seen)} was answered ${shown(verdictOf(seen) ?? statusLine(seen))}`, {
                  expected: "ALLOWED, as at the same place while it is open",
                  actual: verdictOf(seen) ?? statusLine(seen),
                  pointer: "/data/allowed"
                })
              )
          )
        : inconclusive("unobservable", `the token is not allowed at our place in any state: ${shown(before)}`)
    }
  }
]
