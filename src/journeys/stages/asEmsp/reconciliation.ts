/** Stages that compare the partner's pushes during a charge with its lists afterwards. */
import type { JourneyStage, Rule } from "../../model/JourneyTemplate.ts"
import { setOffByStart } from "../charge/catchUps.ts"
import { ourCdr, ourSession } from "../charge/chargeFacts.ts"
import { evseStatusesOf, inOrder } from "../charge/evseStatus.ts"
import { type Listed, listRules, ofListed, readList, sameFields } from "./lists.ts"

const should = { strength: "should" } as const

const pushedIsListed = (module: Listed) => ({
  title: `The list of ${module} contains what the partner pushed`,
  checkId: "JRN-009"
})

/** Without a CDR of the charge there is none that a list has to contain: that it did not come is a rule of its own. */
const ifBilled = (rule: Rule): Rule => ({
  ...rule,
  judge: (history) => {
    const ruling = rule.judge(history)
    return ruling !== undefined && "message" in ruling && ourCdr(history) === undefined
      ? { notTested: "The partner sent no CDR of the session" }
      : ruling
  }
})

/** Stage `read-sessions`: the list of sessions, compared with the pushes. */
export const readSessions: JourneyStage = readList("read-sessions", "sessions", [
  ...listRules("read-sessions", "sessions", pushedIsListed("sessions")),
  {
    id: "read-sessions.same",
    title: "The session in the list equals the pushed one",
    ...should,
    reference: "mod_sessions, Sender Interface, GET Method",
    checkId: "JRN-009",
    setOffBy: setOffByStart,
    judge: ofListed("read-sessions", "sessions", (item, history) => {
      const pushed = ourSession(history)
      const { end, start } = history.profile.sessionNames
      if (pushed === undefined || pushed.messages.length === 0)
        return { notTested: "The partner pushed no session of ours that we could accept" }
      // That its end was not pushed is a rule of another stage.
      return item["status"] === "COMPLETED" && pushed.messages.at(-1)?.after["status"] !== "COMPLETED"
        ? { notTested: "The list has the end of the session, which the partner did not push" }
        : sameFields(item, pushed.state, ["id", "status", start, end, "kwh", "total_cost", "currency"])
    })
  }
])

/** Stage `read-cdrs`: the list of CDRs, compared with the pushed CDR. */
export const readCdrs: JourneyStage = readList("read-cdrs", "cdrs", [
  ...listRules("read-cdrs", "cdrs", pushedIsListed("cdrs")).map((rule) =>
    rule.id === "read-cdrs.listed" ? ifBilled(rule) : rule
  ),
  {
    id: "read-cdrs.same",
    title: "The CDR in the list equals the pushed one",
    ...should,
    reference: "mod_cdrs, Sender Interface, GET Method",
    checkId: "JRN-009",
    judge: ofListed("read-cdrs", "cdrs", (item, history) => {
      const pushed = ourCdr(history)
      const { end, start } = history.profile.cdrNames
      return pushed === undefined
        ? { notTested: "The partner sent no CDR of our session" }
        : sameFields(item, pushed.body, ["id", start, end, "total_energy", "total_time", "total_cost"])
    })
  }
])

const wantedStatuses = ["CHARGING", "AVAILABLE"]

/** Stage `evse-status`: waits until the EVSE is AVAILABLE again, and checks the order of its statuses. */
export const evseStatus: JourneyStage = {
  id: "evse-status",
  name: "The EVSE's status follows the session",
  actor: "partner",
  module: "locations",
  description:
    "The partner pushes the EVSE's status as CHARGING while the session runs, and as AVAILABLE afterwards.",
  timeoutSeconds: 120,
  act: {
    act: "await",
    instruction: () =>
      "The partner must PATCH (or PUT) the EVSE's status: CHARGING while the session runs, AVAILABLE after it.",
    look: (history) => ({ found: inOrder(evseStatusesOf(history), wantedStatuses), nearMisses: [] })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  setOffBy: setOffByStart,
  expect: wantedStatuses.map((status) => ({
    id: `evse-status.${status.toLowerCase()}`,
    title: `The partner pushes the EVSE's status as ${status} ${status === "CHARGING" ? "while the session runs" : "after the session"}`,
    ...should,
    reference: "mod_locations, Status enum",
    checkId: "JRN-004",
    setOffBy: setOffByStart,
    judge: (history) => {
      const told = evseStatusesOf(history)
      const isTold = status === "CHARGING" ? told.includes(status) : told.at(-1) === status
      if (status === "AVAILABLE" && told.length === 0)
        return { notTested: "The partner pushed no status of the EVSE" }
      return isTold
        ? undefined
        : {
            message: `The partner did not push the EVSE's status as ${status} in time`,
            pointer: "/status",
            expected: status,
            actual: told.join(", ") || "nothing"
          }
    }
  }))
}
