/** Checks of an EMSP to which a whole charge is pushed, from the first state of its session to its CDR. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { accepted } from "../../../findings/expectations.ts"
import { blocked, type Check, noneOf, type Precondition } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { lostFields, readBackAtAll } from "../shared/receivers/lostFields.ts"
import { playedCdr, playedPatches, playedPut, playedSession, playedSteps } from "./playedChargeProbes.ts"
import { foreignCard } from "./testCharge.ts"
import { plainSession } from "./toldSessions.ts"

const base = {
  module: "sessions",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "MUT",
  strength: "must"
} as const

const isRefused =
  (step: string) =>
  (evidence: Evidence): boolean =>
    evidence.answered(step).some((seen) => accepted(seen).length > 0)

/**
 * What the partner does with any session and any CDR is reported there. That says nothing of a push here that is refused before, or
 * beside it.
 */
const reportedAlone = (): ReadonlyArray<Precondition> => [
  { check: "SESS-101", unless: (evidence) => !isRefused(playedPut)(evidence) },
  ...["SESS-103", "SESS-104", "SESS-110"].map((check) => ({
    check,
    unless: (evidence: Evidence) => !playedPatches.some((step) => isRefused(step)(evidence))
  })),
  // CDRs are tried after sessions, so that one is posted first on behalf of this check.
  { answers: "cdrs.write#post", what: "a POST of any CDR", rule: () => [] },
  {
    check: "CDR-101",
    unless: (evidence) => playedSteps.some((step) => step !== playedCdr && isRefused(step)(evidence))
  }
]

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
    requires: reportedAlone,
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
      // What is wrong with each session that is put or read back is reported there.
      { check: "SESS-101" },
      readBackAtAll(plainSession),
      // So is what each PATCH does to a session.
      { check: "SESS-103" },
      { check: "SESS-104" },
      { check: "SESS-105" },
      {
        answers: playedPut,
        what: "the PUT of the session",
        check: "JRN-010",
        otherwise: foreignCard
      },
      // What a refused PATCH said is not in the session, and JRN-010 reports the refusal.
      ...playedPatches.map((answers) => ({ answers, what: "a PATCH of the session", check: "JRN-010" }))
    ],
    judge: (evidence) => {
      const expected = playedSession(evidence)
      const lost = lostFields(plainSession, evidence)
      const judgement = judgeReadBack(evidence, "charge.played#read back", expected, {
        ...(lost === undefined ? {} : { except: lost.has })
      })
      return judgement.is === "pass" && lost?.hides(expected) === true ? lost.judgement : judgement
    }
  }
]
