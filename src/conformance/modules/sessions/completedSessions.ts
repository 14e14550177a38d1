/** Sessions that are over: told to us, they do not change any more, and the list says the same of them. */
import { sameId } from "../../../findings/json.ts"
import { objectDifferences } from "../../../findings/objectDifferences.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import { chargingCalls } from "../charge/chargingCalls.ts"
import { completion, inPush, isRepeat, listAfter } from "../charge/chargingPushes.ts"
import { onSessions, sessionPushesBase } from "./sessionPushes.ts"

export const completedSessionsChecks: ReadonlyArray<Check> = [
  {
    ...sessionPushesBase,
    id: "SESS-027",
    title: "Changes no completed session",
    reference: "mod_sessions, SessionStatus enum",
    passes: "no push after COMPLETED that changes anything",
    hint: "COMPLETED is final: correct costs in the CDR, not in the session.",
    judge: onSessions("was completed", (session, { profile }) => {
      const end = completion(session)
      if (end === undefined) return undefined
      const from = session.pushes.indexOf(end) + 1
      return session.pushes.slice(from).flatMap(({ body, seen }, offset) =>
        isRepeat(session, from + offset)
          ? []
          : objectDifferences(body, end.state ?? end.body, profile)
              .slice(0, 1)
              .map(({ actual, expected, pointer }) =>
                inPush(seen, pointer, "it changes a COMPLETED session", String(actual), expected)
              )
      )
    })
  },
  {
    ...sessionPushesBase,
    id: "SESS-031",
    title: "Lists a session as it was pushed",
    strength: "should",
    reference: "mod_sessions, Sender Interface, GET Method",
    sends: "GET sessions from the start of the run, after the pushes",
    passes: "each COMPLETED session is in the list, and says the same as the pushes",
    hint: "Push and list the same object: not one of them from another system.",
    needs: () => [chargingCalls, "sessions.told"],
    judge: (evidence) => {
      const list = listAfter(evidence, "sessions")
      return list === undefined
        ? inconclusive("not_tested", "the list of sessions could not be read")
        : onSessions("was pushed as a whole and completed", (session) => {
            const end = completion(session)
            if (end?.state === undefined) return undefined
            const found = list.find(({ id }) => sameId(id, session.id))
            if (found === undefined)
              return [inPush(end.seen, "/id", "the session is not in the list", session.id, undefined)]
            return objectDifferences(end.state, found, evidence.profile).map(
              ({ actual, expected, pointer }) =>
                inPush(end.seen, pointer, "the list says otherwise", JSON.stringify(expected), actual)
            )
          })(evidence)
    }
  }
]
