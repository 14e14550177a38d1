/** A session from its first message to its end: what the partner tells while a driver of ours charges. */
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import type { Memory } from "../../model/Memory.ts"
import { sessionsOf } from "../../model/partnerPushes.ts"
import { catchUpOnSession, setOffByStart, setOffByStop } from "../charge/catchUps.ts"
import { ourSession } from "../charge/chargeFacts.ts"
import { contractOf, givenReference, tokenUidOf } from "../charge/driver.ts"
import { expectsActive, expectsUpdate } from "../charge/expectations.ts"
import {
  hasGrown,
  sessionActiveRules,
  sessionCompletedRules,
  sessionUpdatesRules,
  wasActive
} from "./sessionRules.ts"

/** By what our session is known, in words. */
function marksOf(memory: Memory): string {
  const reference = givenReference(memory)
  const token =
    memory.profile.tokenReference === "auth_id"
      ? `auth_id ${contractOf(memory)}`
      : `token ${tokenUidOf(memory)}`
  return reference === undefined ? `with ${token}` : `with authorization_reference ${reference} and ${token}`
}

/** Session pushes that are not ours, or not there yet, in words. */
export function sessionNearMisses(memory: Memory, wanted: string): ReadonlyArray<string> {
  const ours = ourSession(memory)
  return sessionsOf(memory).map(({ id, state }) =>
    id === ours?.id
      ? `Session ${id} is ${String(state["status"])}, not yet ${wanted}`
      : `Session ${id} is none ${marksOf(memory)}`
  )
}

export const sessionActive: JourneyStage = {
  id: "session-active",
  name: "Session becomes active",
  actor: "partner",
  module: "sessions",
  description: "The partner pushes the session, and it becomes ACTIVE.",
  timeoutSeconds: 120,
  act: {
    act: "await",
    instruction: (memory) =>
      `The partner must PUT a session ${marksOf(memory)}, and set its status to ACTIVE.`,
    look: (memory) => ({
      found: wasActive(ourSession(memory)),
      nearMisses: sessionNearMisses(memory, "ACTIVE")
    }),
    expects: expectsActive
  },
  writes: false,
  idempotent: true,
  optionalForLater: false,
  expect: sessionActiveRules,
  setOffBy: setOffByStart,
  catchUp: catchUpOnSession,
  stopsIf: (memory) => (wasActive(ourSession(memory)) ? undefined : "No session of ours became ACTIVE")
}

export const sessionUpdates: JourneyStage = {
  id: "session-updates",
  name: "Energy flows",
  actor: "partner",
  module: "sessions",
  description: "The partner updates the session while it charges.",
  timeoutSeconds: 180,
  act: {
    act: "await",
    instruction: (memory) =>
      `The partner must PATCH session ${ourSession(memory)?.id ?? ""} at least once with more kwh than before.`,
    look: (memory) => {
      const session = ourSession(memory)
      const over = session?.state["status"] === "COMPLETED"
      return { found: session !== undefined && (hasGrown(session) || over), nearMisses: [] }
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

export const sessionCompleted: JourneyStage = {
  id: "session-completed",
  name: "Session is completed",
  actor: "partner",
  module: "sessions",
  description: "The partner pushes the session as COMPLETED, with its end.",
  timeoutSeconds: 120,
  act: {
    act: "await",
    instruction: (memory) =>
      `The partner must set session ${ourSession(memory)?.id ?? ""} to COMPLETED, with end_date_time.`,
    look: (memory) => ({
      found: ourSession(memory)?.state["status"] === "COMPLETED",
      nearMisses: sessionNearMisses(memory, "COMPLETED")
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
