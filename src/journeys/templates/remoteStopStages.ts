/** The second half of a remote start: stopping the session, its end, its CDR, and looking back. */
import type { JourneyStage } from "../JourneyTemplate.ts"
import { awaitResult, refused, sessionNearMisses } from "./remoteStartAwaiting.ts"
import {
  catchUpOnCdr,
  catchUpOnSession,
  endedWhileAway,
  setOffByStart,
  setOffByStop
} from "./remoteStartCatchUp.ts"
import { consistencyRules } from "./remoteStartConsistency.ts"
import { expectsCdr, expectsUpdate } from "./remoteStartExpected.ts"
import { ourCdr, ourSession } from "./remoteStartFacts.ts"
import { readStopBack, stopCall } from "./remoteStartReadBack.ts"
import { commandRules } from "./remoteStartRules.ts"
import { cdrRules, sessionCompletedRules } from "./remoteStartSessionRules.ts"

export const remoteStopStages: ReadonlyArray<JourneyStage> = [
  {
    id: "stop-session",
    name: "Stop the session",
    actor: "us",
    module: "commands",
    description: "Send STOP_SESSION with the id of the session that the partner pushed.",
    timeoutSeconds: 30,
    act: {
      act: "exchange",
      sends: "POST commands/STOP_SESSION",
      command: "STOP_SESSION",
      call: (memory, responseUrl) => {
        const session = ourSession(memory)
        if (session === undefined) return { unmet: "There is no session to stop" }
        return endedWhileAway(memory)
          ? { unmet: "The session ended while we were away, before it could be stopped", goesOn: true }
          : stopCall(session.id, responseUrl)
      },
      readBack: readStopBack
    },
    writes: true,
    idempotent: false,
    optionalForLater: false,
    // A session that went on without us may be over by the time we stop it.
    expect: commandRules("stop-session", setOffByStart),
    setOffBy: setOffByStart,
    catchUp: catchUpOnSession,
    stopsIf: refused("stop-session")
  },
  awaitResult("stop-result", "stop-session", "The stop's result"),
  {
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
      expects: expectsUpdate(true)
    },
    writes: false,
    idempotent: true,
    optionalForLater: true,
    expect: sessionCompletedRules,
    setOffBy: setOffByStop,
    catchUp: catchUpOnSession
  },
  {
    id: "cdr",
    name: "CDR is pushed",
    actor: "partner",
    module: "cdrs",
    description: "The partner posts the CDR of the session.",
    timeoutSeconds: 300,
    act: {
      act: "await",
      instruction: (memory) =>
        `The partner must POST the CDR with session_id ${ourSession(memory)?.id ?? ""} and the session's token.`,
      look: (memory) => ({ found: ourCdr(memory) !== undefined, nearMisses: [] }),
      expects: expectsCdr
    },
    writes: false,
    idempotent: true,
    optionalForLater: true,
    expect: cdrRules,
    setOffBy: setOffByStop,
    catchUp: catchUpOnCdr
  },
  {
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
    // The session's end may have been missed in a stage that was left out.
    setOffBy: setOffByStart,
    catchUp: catchUpOnSession
  }
]
