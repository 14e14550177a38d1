/** Stages after a charge: its CDR, and the comparison of all messages. */
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { catchUpOnCdr, catchUpOnSession, setOffByStart, setOffByStop } from "../charge/catchUps.ts"
import { cdrBelowEndpoint, ourCdr, ourSession } from "../charge/chargeFacts.ts"
import { expectsCdr } from "../charge/expectedMessages.ts"
import { cdrRules } from "./cdrRules.ts"
import { consistencyRules } from "./consistencyRules.ts"

/** Stage `cdr`: the partner posts the CDR. */
export const cdrPushed: JourneyStage = {
  id: "cdr",
  name: "CDR is pushed",
  actor: "partner",
  module: "cdrs",
  description: "The partner posts the CDR of the session.",
  timeoutSeconds: 300,
  act: {
    act: "await",
    isSentOnce: true,
    instruction: (history) =>
      `The partner must POST the CDR of session ${ourSession(history)?.id ?? ""}, with the session's token.`,
    // A partner that has posted the CDR to another URL does not post it again, so the wait ends.
    look: (history) => ({
      found: ourCdr(history) !== undefined || cdrBelowEndpoint(history) !== undefined,
      nearMisses: []
    }),
    expects: expectsCdr
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: cdrRules,
  setOffBy: setOffByStop,
  catchUp: catchUpOnCdr
}

/** Stage `consistency`: compares session, CDR and the order of messages. */
export const everythingAgrees: JourneyStage = {
  id: "consistency",
  name: "Everything agrees",
  actor: "us",
  module: null,
  description: "Compare session, CDR and the order of messages.",
  timeoutSeconds: 1,
  act: { act: "judge" },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: consistencyRules,
  // The session's end may have been missed in a stage that was skipped.
  setOffBy: setOffByStart,
  catchUp: catchUpOnSession
}
