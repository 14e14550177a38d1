/** An EMSP that is told sessions (mod_sessions, Receiver Interface): kept as sent, appended to, refused when wrong. */
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { objectIn } from "../../../findings/json.ts"
import { dataOf, isObject, statusLine, succeeded } from "../../model/answers.ts"
import { type Check, inconclusive, type Judgement, noneOf, pass } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { stepOf } from "../shared/waiting.ts"
import { notInvalid, notRejected, taken } from "../shared/writing.ts"
import { kwhAfterTheEnd, told, wrongSessionSteps } from "./sessionWritesProbes.ts"

const base = {
  module: "sessions",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "MUT",
  strength: "must",
  reference: "mod_sessions, Receiver Interface"
} as const
const appending = versionsWhere(({ patchAppendsPeriods }) => patchAppendsPeriods === true)
const step = (id: string) => `sessions.write#${id}`
const sent = (...ids: ReadonlyArray<string>) => ids.map(step)

/** The request was taken, and what is read back after it is that. */
const takenAndKept = (
  evidence: Evidence,
  write: string,
  read: string,
  expected: Readonly<Record<string, unknown>>,
  gone: ReadonlyArray<string> = []
): Judgement => {
  const result = taken(evidence, step(write))
  return result.is === "pass" ? judgeReadBack(evidence, step(read), expected, { gone }) : result
}

const twoPeriods = (evidence: Evidence) => ({
  charging_periods: told.twoPeriods(evidence)["charging_periods"]
})

const rejected = (evidence: Evidence, ids: ReadonlyArray<string>, expected?: string): Judgement =>
  noneOf(ids.flatMap((id) => evidence.answered(step(id))).flatMap((seen) => notRejected(seen, expected)))

export const sessionWriteChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "SESS-101",
    title: "Takes a new session",
    sends: "PUT of a new ACTIVE session of one of the partner's tokens",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Create the session when it is not there yet: PUT is for new and known ones.",
    needs: () => sent("put"),
    judge: (evidence) => taken(evidence, step("put"))
  },
  {
    ...base,
    id: "SESS-102",
    title: "Gives a session back as it was sent",
    reference: "mod_sessions, Receiver Interface, GET Method",
    sends: "GET of the session that was just put",
    passes: "every field as it was sent",
    hint: "Keep every field that was sent, and give it back on GET as it came.",
    needs: () => sent("read back"),
    judge: (evidence) => judgeReadBack(evidence, step("read back"), told.put(evidence), { main: true })
  },
  {
    ...base,
    id: "SESS-103",
    title: "Changes by PATCH only what is named",
    reference: "mod_sessions, Receiver Interface, PATCH Method",
    sends: "PATCH of kwh and last_updated, then GET",
    passes: "only kwh and last_updated have changed",
    hint: "Merge the fields of a PATCH into what is kept; leave the others alone.",
    needs: () => sent("read back", "patch", "read patched"),
    judge: (evidence) => {
      // What was lost before it is the matter of SESS-102.
      const before = stepOf(evidence, step("read back"))
      const { kwh, last_updated } = told.patched(evidence)
      const expected = before !== undefined && succeeded(before) ? dataOf(before) : told.put(evidence)
      return takenAndKept(evidence, "patch", "read patched", { ...objectIn(expected), kwh, last_updated })
    }
  },
  {
    ...base,
    id: "SESS-104",
    versions: appending,
    title: "Adds the charging periods of a PATCH",
    reference: "mod_sessions, Receiver Interface, PATCH Method",
    sends: "PUT with one charging period, PATCH with another, then GET",
    passes: "both periods, in their order",
    hint: "A PATCH brings new periods: add them to the list, do not replace it.",
    needs: () => sent("append", "read appended"),
    judge: (evidence) => takenAndKept(evidence, "append", "read appended", twoPeriods(evidence))
  },
  {
    ...base,
    id: "SESS-105",
    versions: appending,
    title: "Keeps the charging periods when a PATCH brings none",
    reference: "mod_sessions, Receiver Interface, PATCH Method",
    sends: "PATCH with an empty list of charging periods, then GET",
    passes: "the periods are what they were",
    hint: "An empty list in a PATCH has nothing to add; only a PUT empties the list.",
    needs: () => sent("append none", "read appended", "read unchanged"),
    judge: (evidence) => {
      const before = judgeReadBack(evidence, step("read appended"), twoPeriods(evidence))
      return before.is === "pass"
        ? takenAndKept(evidence, "append none", "read unchanged", twoPeriods(evidence))
        : inconclusive("not_tested", "the periods were not all there before it")
    }
  },
  {
    ...base,
    id: "SESS-106",
    versions: appending,
    title: "Replaces the whole session by PUT",
    reference: "mod_sessions, Receiver Interface, PUT Method",
    sends: "PUT of the same session without charging periods, then GET",
    passes: "it has no charging periods any more",
    hint: "A PUT is the whole session: periods that it has not are not there any more.",
    needs: () => sent("put no periods", "read emptied"),
    judge: (evidence) => takenAndKept(evidence, "put no periods", "read emptied", {}, ["charging_periods"])
  },
  {
    ...base,
    id: "SESS-107",
    versions: appending,
    title: "Takes no PATCH below a session",
    strength: "should",
    reference: "mod_sessions, Receiver Interface, PATCH Method",
    sends: "PATCH of {session_id}/charging_periods",
    passes: "no success",
    hint: "Only a whole session has an address: answer HTTP 404 to anything below it.",
    needs: () => sent("below the session"),
    judge: (evidence) => rejected(evidence, ["below the session"], "HTTP 404 or 405, or status_code 2xxx")
  },
  {
    ...base,
    id: "SESS-108",
    title: "Refuses to change a session that it does not have",
    strength: "should",
    reference: "transport_and_format, PATCH",
    sends: "PATCH of an unknown session, then GET",
    passes: "HTTP 404 or status_code 2xxx, and nothing was created",
    hint: "Answer 404 to a PATCH of what is not there: the CPO then sends the whole session.",
    needs: () => sent("unknown", "read unknown"),
    judge: (evidence) => rejected(evidence, ["unknown", "read unknown"])
  },
  {
    ...base,
    id: "SESS-109",
    title: "Refuses sessions that are not valid",
    reference: "status_codes, Client errors",
    sends: "PUT of a session without currency, with status FINISHED, with kwh as text",
    passes: "status_code 2001 each time",
    hint: "Check required fields, types and enumerations before anything is stored.",
    needs: () => wrongSessionSteps,
    judge: (evidence) => noneOf(wrongSessionSteps.flatMap(evidence.answered).flatMap(notInvalid))
  },
  {
    ...base,
    id: "SESS-110",
    title: "Learns that a session is over",
    reference: "mod_sessions, Receiver Interface, PATCH Method; SessionStatus enum",
    sends: "PATCH of status COMPLETED and the end, then GET",
    passes: "HTTP 200, status_code 1000; the session is COMPLETED and has its end",
    hint: "Take status and end from the PATCH like any other field.",
    needs: () => sent("complete", "read completed"),
    judge: (evidence) => {
      const { end } = evidence.profile.sessionNames
      const expected: Readonly<Record<string, unknown>> = told.completed(evidence)
      const result = taken(evidence, step("complete"))
      if (result.is !== "pass") return result
      const back = judgeReadBack(evidence, step("read completed"), {
        status: expected["status"],
        [end]: expected[end]
      })
      // Nothing can be read back: that it was taken is then all there is to see.
      return back.is === "inconclusive" ? result : back
    }
  },
  {
    ...base,
    id: "SESS-111",
    title: "What it does with a change after the end",
    strength: "may",
    reference: "mod_sessions, SessionStatus enum",
    sends: "PATCH of kwh of a COMPLETED session, then GET",
    passes: "recorded only: refused, ignored or applied",
    partial: true,
    needs: () => sent("after the end", "read after the end"),
    judge: (evidence) => {
      const seen = stepOf(evidence, step("after the end"))
      if (seen === undefined) return inconclusive("not_tested", "no session was COMPLETED")
      if (!succeeded(seen)) return pass(`refused: ${statusLine(seen)}`)
      const back = stepOf(evidence, step("read after the end"))
      const data = back === undefined || !succeeded(back) ? undefined : dataOf(back)
      if (!isObject(data)) return pass("taken; what became of it cannot be read back")
      return pass(data["kwh"] === kwhAfterTheEnd ? "applied" : "ignored")
    }
  },
  {
    ...base,
    id: "SESS-112",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    title: "Takes a reservation whose EVSE is still open",
    reference: "mod_sessions, Session Object; transport_and_format, No Data Available",
    sends: "PUT of a session with status RESERVATION, #NA for EVSE and connector, auth_method COMMAND",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "#NA stands for an id that is not known yet: do not look it up.",
    needs: () => sent("reservation"),
    judge: (evidence) => taken(evidence, step("reservation"))
  },
  {
    ...base,
    id: "SESS-113",
    title: "Takes a session at a place that it was not told of",
    strength: "should",
    reference: "mod_sessions, Session Object; mod_locations, Location Object (publish)",
    sends: "PUT of a session at a location that was never pushed",
    passes: "HTTP 200 or 201, status_code 1000",
    hint: "Home chargers and others that are not published have sessions too.",
    needs: () => sent("elsewhere"),
    judge: (evidence) => taken(evidence, step("elsewhere"))
  },
  {
    ...base,
    id: "SESS-114",
    title: "Refuses a session of somebody else's driver",
    strength: "should",
    reference: "status_codes, Client errors",
    sends: "PUT of a session that names a token of another EMSP",
    passes: "status_code 2xxx",
    hint: "Say that the token is not yours: status_code 2004 where the version has it, else 2001.",
    needs: () => sent("foreign"),
    judge: (evidence) => rejected(evidence, ["foreign"], "status_code 2xxx")
  }
]
