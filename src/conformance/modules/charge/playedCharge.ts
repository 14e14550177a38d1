/** Checks of an EMSP to which a whole charge is pushed, from the first state of its session to its CDR. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { accepted } from "../../../findings/expectations.ts"
import { blocked, type Check, noneOf } from "../../model/Check.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { playedPatches, playedSession, playedSteps } from "./playedChargeProbes.ts"
import { foreignCard } from "./testCharge.ts"

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
    judge: (evidence) => {
      const refusals = playedSteps.flatMap(evidence.answered).flatMap(accepted)
      const by = refusals.length === 0 ? undefined : foreignCard(evidence)
      return by === undefined ? noneOf(refusals) : blocked(by)
    }
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
    requires: () => [
      {
        answers: "charge.played#begin",
        what: "the PUT of the session",
        check: "JRN-010",
        otherwise: foreignCard
      },
      // What a refused PATCH said is not in the session, and JRN-010 reports the refusal.
      ...playedPatches.map((answers) => ({ answers, what: "a PATCH of the session", check: "JRN-010" })),
      // What is wrong with each session that is read back is reported there.
      { check: "SESS-101" },
      { check: "SESS-102" },
      // So is what each PATCH does to a session.
      { check: "SESS-103" },
      { check: "SESS-104" },
      { check: "SESS-105" }
    ],
    judge: (evidence) => judgeReadBack(evidence, "charge.played#read back", playedSession(evidence))
  }
]
