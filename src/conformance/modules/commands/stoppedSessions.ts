/** The sessions that commands end (mod_commands). */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { isObject, sameId } from "../../../findings/json.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { type Check, inconclusive, noneOf, pass } from "../../model/Check.ts"
import { blockedByLegs, callAt, isAccepted, isDone, legsOf, resultStep } from "../shared/commandLegs.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { idOf, isListCut, listedAt, type Shown, shownWrong, unreadSession } from "./commandSessions.ts"
import { remoteStartsBase } from "./remoteStartSteps.ts"
import { appUser, cardStops, isFoundOtherwise, start, startedSession } from "./remoteStartsProbes.ts"

/** Judge the sessions that commands end (mod_commands, StopSession Object; mod_sessions, Session Object). */
export const stoppedSessionsChecks: ReadonlyArray<Check> = [
  {
    ...remoteStartsBase,
    id: "CMD-041",
    versions: versionsWhere(({ endpointRoles }) => endpointRoles),
    title: "STOP_SESSION: a session is found whatever the case of its id",
    strength: "should",
    reference: "types, CiString type; mod_commands, StopSession Object",
    sends: "STOP_SESSION of a session under way, with the letters of its id in the other case",
    passes: "the CommandResponse is ACCEPTED, as it is with the id that the partner sent",
    hint: "Compare session_id without regard to case: it is a CiString.",
    partial: true,
    needs: () => [cardStops.otherwise, cardStops.plain],
    judge: (evidence) => {
      const seen = stepOf(evidence, cardStops.otherwise)
      if (seen === undefined) return inconclusive("not_tested", "no session was to be stopped")
      if (isFoundOtherwise(evidence)) return pass(legsOf(evidence, cardStops.otherwise))
      if (!isAccepted(evidence, cardStops.plain)) return blockedByLegs(evidence, cardStops.plain)
      return noneOf([
        finding(
          seen,
          "STOP_SESSION is refused with the id in the other case, and accepted with the id as the partner sent it",
          {
            expected: legsOf(evidence, cardStops.plain),
            actual: legsOf(evidence, cardStops.otherwise)
          }
        )
      ])
    }
  },
  {
    ...remoteStartsBase,
    id: "CMD-026",
    title: "STOP_SESSION: the session is COMPLETED within 5 minutes",
    strength: "should",
    reference: "mod_commands, StopSession Object; mod_sessions, Session Object",
    passes:
      "after ACCEPTED in CommandResponse and CommandResult the session is COMPLETED within 5 minutes, with its end",
    hint: "Push the session with status COMPLETED and its end time.",
    needs: () => [
      `${start}#stop`,
      resultStep(`${start}#stop`),
      `${start}#completed`,
      `${start}#sessions after`
    ],
    judge: (evidence) => {
      const step = `${start}#stop`
      const seen = stepOf(evidence, step)
      if (seen === undefined) return inconclusive("not_tested", "no session was to be stopped")
      if (!isDone(evidence, step)) return blockedByLegs(evidence, step)
      const { end } = evidence.profile.sessionNames
      const id = idOf(startedSession(evidence))
      const pushed = callAt(evidence, `${start}#completed`)
      const listed = listedAt(evidence, `${start}#sessions after`, appUser(evidence)).find(
        ({ json }) => sameId(json["id"], id) && sessionStatus(json) === "COMPLETED"
      )
      const ended: Shown | undefined =
        pushed !== undefined && isObject(pushed.json)
          ? { seen: pushed, json: pushed.json, pointer: "" }
          : listed
      if (ended === undefined && isListCut(evidence, `${start}#sessions after`)) return unreadSession
      if (ended === undefined)
        return noneOf([
          finding(seen, "the session was stopped but neither pushed nor listed as COMPLETED", {
            expected: "COMPLETED within 5 minutes",
            actual: "not COMPLETED"
          })
        ])
      const hasEnd = [ended, listed].some((one) => typeof one?.json[end] === "string")
      return noneOf(
        unless(hasEnd, () =>
          shownWrong(ended, end, `the session is COMPLETED and has no ${end}`, "a DateTime")
        )
      )
    }
  }
]
