/** Sessions that are over: told to us, they do not change any more, and the list says the same of them. */
import { sameId } from "../../../findings/json.ts"
import { toldOtherwise } from "../../../findings/objectDifferences.ts"
import { inWords } from "../../../findings/words.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { blocked, type Check, inconclusive } from "../../model/Check.ts"
import { chargingCalls } from "../charge/chargingCalls.ts"
import { completion, inPush, isRepeat, listAfter, unreadList } from "../charge/chargingPushes.ts"
import { lastReading, wholeListsOf } from "../shared/lists.ts"
import { blockedByNewIds } from "../shared/readings/newIds.ts"
import { onSessions, sessionPushesBase } from "./sessionPushes.ts"

/**
 * Judge pushes after COMPLETED, and what the list says of sessions that were pushed (mod_sessions, SessionStatus enum
 * and Sender Interface).
 */
export const completedSessionsChecks: ReadonlyArray<Check> = [
  {
    ...sessionPushesBase,
    id: "SESS-027",
    title: "Session update: none changes a session after COMPLETED",
    reference: "mod_sessions, SessionStatus enum",
    passes: "no push after COMPLETED that changes anything",
    hint: "Correct costs in the CDR, not in a COMPLETED session.",
    judge: onSessions("was completed", (session, { profile }) => {
      const end = completion(session)
      if (end === undefined) return undefined
      const from = session.pushes.indexOf(end) + 1
      return session.pushes.slice(from).flatMap(({ body, seen }, offset) =>
        isRepeat(session, from + offset)
          ? []
          : toldOtherwise(profile, "Session", body, end.state ?? end.body)
              .slice(0, 1)
              .map(({ actual, expected, pointer }) =>
                inPush(seen, pointer, "the push changes a COMPLETED session", {
                  expected: inWords(actual),
                  actual: expected
                })
              )
      )
    })
  },
  {
    ...sessionPushesBase,
    id: "SESS-031",
    consequenceOf: ["SESS-026", "SESS-030", "SESS-029", "JRN-009", "TRANS-053"],
    title: "GET sessions: a COMPLETED session is the same as it was pushed",
    strength: "should",
    reference: "mod_sessions, Sender Interface, GET Method",
    sends: "GET sessions from the start of the run, after the pushes",
    passes: "each COMPLETED session is in the list, and has the same fields as were pushed",
    hint: "Push and list the same object; check that both come from the same data.",
    requires: wholeListsOf(["sessions.told"]),
    needs: () => [chargingCalls, "sessions.told"],
    ifGathered: () => [`sessions.${lastReading}`],
    judge: (evidence) => {
      const list = listAfter(evidence, "sessions")
      const by = blockedByNewIds(evidence, "sessions")
      if (by !== undefined) return blocked(by)
      return list === undefined
        ? inconclusive("not_tested", unreadList("sessions"))
        : onSessions("was pushed as a whole and completed", (session) => {
            const end = completion(session)
            if (end?.state === undefined) return undefined
            const found = list.find(({ id }) => sameId(id, session.id))
            if (found === undefined)
              return [
                inPush(end.seen, "/id", "the session is not in the list", {
                  expected: session.id,
                  actual: undefined
                })
              ]
            // That a status is not in capitals is reported by SESS-024 and SESS-025 (push) and SESS-004 (list).
            const isSame = sessionStatus(end.state) === sessionStatus(found)
            const pushed = isSame ? { ...end.state, status: found["status"] } : end.state
            return toldOtherwise(evidence.profile, "Session", pushed, found).map(
              ({ actual, expected, pointer }) =>
                inPush(end.seen, pointer, "the session in the list differs from what was pushed", {
                  expected: JSON.stringify(expected),
                  actual
                })
            )
          })(evidence)
    }
  }
]
