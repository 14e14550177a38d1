/** The probe of the commands that a CPO cannot carry out (mod_commands), and what is read of it. */

import type { JsonObject } from "../../../../findings/json.ts"
import { isReservation } from "../../../../ocpi/reservedSession.ts"
import { sessionStatus } from "../../../../ocpi/sessionStatus.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import type { Probe, ProbeStep } from "../../../model/Probe.ts"
import { isAccepted, resultOfStep } from "../../shared/commandLegs.ts"
import { isResultOf, stepOf } from "../../shared/stepAnswers.ts"
import { idOf, listedAt, type Shown, sessionListSteps } from "../commandSessions.ts"
import { command, targetProbes } from "../commandTargets.ts"
import { kindsOfWrong, tokenOf, type Wrong, wrongRequests } from "./wrongRequests.ts"

/** Id of the probe. */
export const wrong = "commands.wrong"
const quietSeconds = 2

/** Full id of a step: `commands.wrong#an unknown EVSE`. */
export const wrongStep = (id: string): string => `${wrong}#${id}`
/** Full ids of all steps that send a command. */
export const wrongSteps: ReadonlyArray<string> = Object.keys(wrongRequests).map(wrongStep)

/** Commands that were answered, but not with ACCEPTED. */
const refusedSteps = (evidence: Evidence): ReadonlyArray<string> =>
  wrongSteps.filter((step) => stepOf(evidence, step) !== undefined && !isAccepted(evidence, step))

/** Is or was the session under way? One that is PENDING or INVALID may never begin. */
const hasBegun = (session: JsonObject) =>
  ["ACTIVE", "COMPLETED"].includes(sessionStatus(session) ?? "") || isReservation(session["status"])

/** Sessions that a wrong command of that kind has begun, as the partner lists them after all of them. */
export const begunBy = (evidence: Evidence, kind: Wrong): ReadonlyArray<Shown> =>
  listedAt(evidence, `${wrong}#sessions`, tokenOf(evidence, kind)).filter(({ json }) => hasBegun(json))

/** Waits for the result of a command that was accepted. That none comes says nothing about the results of other commands. */
const resultWhenAccepted = (id: string): ProbeStep => {
  const step = resultOfStep(wrong, id)
  return {
    id: step.id,
    act: (evidence) => {
      const act = isAccepted(evidence, wrongStep(id)) ? step.act(evidence) : undefined
      if (act === undefined || !("wait" in act)) return act
      const { kind: _, ...wait } = act.wait
      return { wait }
    }
  }
}

/**
 * Commands about unknown objects, with invalid bodies, of other versions, and at EVSEs without the capability; then a
 * wait for results that must not come, and GET of the sessions that must not have begun.
 */
export const wrongCommandProbes: ReadonlyArray<Probe> = [
  {
    id: wrong,
    after: targetProbes,
    targets: ["a reservation until yesterday"],
    // None of them is to be carried out.
    beside: () => true,
    steps: [
      ...Object.entries(wrongRequests).map(([id, act]) => ({ id, act, forChecks: true as const })),
      // Each is awaited from its own answer on, so that they are awaited side by side.
      ...Object.keys(wrongRequests).map(resultWhenAccepted),
      {
        id: "quiet",
        forChecks: true,
        act: () => ({
          wait: {
            seconds: quietSeconds,
            instruction: "The partner must not send a result for a command that was not accepted",
            provoke: "no result came for a command that was not accepted",
            matches: (seen, evidence) =>
              refusedSteps(evidence).some((step) => isResultOf(seen, evidence, step))
          }
        })
      },
      ...sessionListSteps(wrong, "sessions"),
      // A session that should not be is not left running.
      ...kindsOfWrong.map(
        (kind): ProbeStep => ({
          id: `stop ${kind}`,
          act: (evidence) => {
            const id = idOf(begunBy(evidence, kind).find(({ json }) => sessionStatus(json) === "ACTIVE"))
            return id === undefined ? undefined : { send: command("STOP_SESSION", { session_id: id }) }
          }
        })
      )
    ]
  }
]
