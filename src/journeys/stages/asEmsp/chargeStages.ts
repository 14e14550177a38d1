/** Stages of a session from its first message to its end, while our driver charges. */
import { inWords } from "../../../findings/words.ts"
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { pushesNothing, sessionsOf } from "../../model/partnerPushes.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import { catchUpOnSession, setOffByStart, setOffByStop } from "../charge/catchUps.ts"
import { ourSession } from "../charge/chargeFacts.ts"
import { contractOf, givenReference, tokenUidOf } from "../charge/driver.ts"
import { expectsActive, expectsUpdate } from "../charge/expectedMessages.ts"
import {
  hasGrown,
  sessionActiveRules,
  sessionCompletedRules,
  sessionUpdatesRules,
  wasActive,
  wasReadGrowing
} from "./sessionRules.ts"

/** How the partner's session is recognised as ours, in words. */
function marksOf(history: RunHistory): string {
  const reference = givenReference(history)
  const token =
    history.profile.tokenReference === "auth_id"
      ? `auth_id ${contractOf(history)}`
      : `token ${tokenUidOf(history)}`
  return reference === undefined ? `with ${token}` : `with authorization_reference ${reference} and ${token}`
}

/** Pushed sessions that are not ours, or not yet in the wanted status, in words. */
export function sessionNearMisses(history: RunHistory, wanted: string): ReadonlyArray<string> {
  const ours = ourSession(history)
  return sessionsOf(history).map(({ id, state }) =>
    id === ours?.id
      ? `Session ${id} is ${inWords(state["status"])}, not yet ${wanted}`
      : `Session ${id} is not ours: it is no session ${marksOf(history)}`
  )
}

/** Stage `session-active`: the partner pushes the session as ACTIVE. */
export const sessionActive: JourneyStage = {
  id: "session-active",
  name: "Session becomes active",
  actor: "partner",
  module: "sessions",
  description: "The partner pushes the session, and it becomes ACTIVE.",
  timeoutSeconds: 120,
  act: {
    act: "await",
    isSentOnce: true,
    instruction: (history) =>
      `The partner must PUT a session ${marksOf(history)}, and set its status to ACTIVE.`,
    look: (history) => ({
      found: wasActive(ourSession(history)),
      nearMisses: sessionNearMisses(history, "ACTIVE")
    }),
    expects: expectsActive
  },
  writes: false,
  idempotent: true,
  optionalForLater: false,
  expect: sessionActiveRules,
  setOffBy: setOffByStart,
  catchUp: catchUpOnSession,
  stopsIf: (history) => (wasActive(ourSession(history)) ? undefined : "No session of ours became ACTIVE")
}

/** Stage `session-updates`: the partner pushes more energy. */
export const sessionUpdates: JourneyStage = {
  id: "session-updates",
  name: "Energy flows",
  actor: "partner",
  module: "sessions",
  description: "The partner updates the session while it charges.",
  timeoutSeconds: 180,
  act: {
    act: "await",
    isSentOnce: true,
    instruction: (history) =>
      `The partner must PATCH (or PUT) session ${ourSession(history)?.id ?? ""} at least once with more kwh than before.`,
    look: (history) => {
      const session = ourSession(history)
      const over = session?.state["status"] === "COMPLETED"
      const read = session !== undefined && pushesNothing(history) && wasReadGrowing(session)
      return { found: session !== undefined && (hasGrown(session) || over || read), nearMisses: [] }
    },
    expects: expectsUpdate()
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: sessionUpdatesRules,
  setOffBy: setOffByStart,
  catchUp: catchUpOnSession
}

/** Stage `session-completed`: the partner pushes the session as COMPLETED. */
export const sessionCompleted: JourneyStage = {
  id: "session-completed",
  name: "Session is completed",
  actor: "partner",
  module: "sessions",
  description: "The partner pushes the session as COMPLETED, with its end.",
  timeoutSeconds: 120,
  act: {
    act: "await",
    isSentOnce: true,
    instruction: (history) =>
      `The partner must set session ${ourSession(history)?.id ?? ""} to COMPLETED, with end_date_time.`,
    look: (history) => ({
      found: ourSession(history)?.state["status"] === "COMPLETED",
      nearMisses: sessionNearMisses(history, "COMPLETED")
    }),
    expects: expectsUpdate(() => ({ over: true }))
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: sessionCompletedRules,
  setOffBy: setOffByStop,
  catchUp: catchUpOnSession
}
