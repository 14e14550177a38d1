/** Checks of an EMSP to which a whole charge is pushed, from the first state of its session to its CDR. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { accepted } from "../../../findings/expectations.ts"
import { type Check, noneOf } from "../../model/Check.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { playedSession, playedSteps } from "./playedChargeProbes.ts"

const base = {
  module: "sessions",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "MUT",
  strength: "must"
} as const

/** Judge how an EMSP takes the session and the CDR of one charge (mod_sessions and mod_cdrs, Receiver Interface). */
export const playedChargeChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "JRN-010",
    title: "Charge: every push of session and CDR is accepted",
    reference: "mod_sessions, Receiver Interface; mod_cdrs, Receiver Interface",
    sends: "PUT of a session, PATCHes of it until it is COMPLETED, POST of its CDR",
    passes: "HTTP 200 or 201, status_code 1000 each time",
    hint: "Correct the first request that was refused, and run the check again: refusals of later requests can follow from that one.",
    needs: () => playedSteps,
    judge: (evidence) => noneOf(playedSteps.flatMap(evidence.answered).flatMap(accepted))
  },
  {
    ...base,
    id: "JRN-011",
    versions: versionsWhere(({ patchAppendsPeriods }) => patchAppendsPeriods === true),
    title: "Charge: GET of the session returns what was sent last",
    reference: "mod_sessions, Receiver Interface, GET Method",
    sends: "GET of that session after its end",
    passes: "every field as it was sent last, and every charging period that was appended",
    hint: "Add the charging periods of each PATCH, and take every other field from the last push that had it.",
    needs: () => ["charge.played#read back"],
    judge: (evidence) => judgeReadBack(evidence, "charge.played#read back", playedSession(evidence))
  }
]
