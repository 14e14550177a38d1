/** Push against pull: what the partner told while a driver charged, and what its lists say afterwards. */
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { setOffByStart } from "../charge/catchUps.ts"
import { ourCdr, ourSession } from "../charge/chargeFacts.ts"
import { evseStatusesOf, inOrder } from "../charge/evseStatus.ts"
import { type Listed, listRules, ofListed, readList, sameFields } from "./lists.ts"

const should = { strength: "should" } as const

const pushedIsListed = (module: Listed) => ({
  title: `What was pushed of the ${module} is in the list as well`,
  checkId: "JRN-009"
})

export const readSessions: JourneyStage = readList("read-sessions", "sessions", [
  ...listRules("read-sessions", "sessions", pushedIsListed("sessions")),
  {
    id: "read-sessions.same",
    title: "The list shows the session as it was pushed",
    ...should,
    reference: "mod_sessions, Sender Interface GET",
    checkId: "JRN-009",
    setOffBy: setOffByStart,
    judge: ofListed("read-sessions", "sessions", (item, history) => {
      const pushed = ourSession(history)
      const { end, start } = history.profile.sessionNames
      return pushed === undefined || pushed.messages.length === 0
        ? { notTested: "No session of ours was pushed" }
        : sameFields(item, pushed.state, ["id", "status", start, end, "kwh", "total_cost", "currency"])
    })
  }
])

export const readCdrs: JourneyStage = readList("read-cdrs", "cdrs", [
  ...listRules("read-cdrs", "cdrs", pushedIsListed("cdrs")),
  {
    id: "read-cdrs.same",
    title: "The list shows the CDR as it was pushed",
    ...should,
    reference: "mod_cdrs, Sender Interface GET",
    checkId: "JRN-009",
    judge: ofListed("read-cdrs", "cdrs", (item, history) => {
      const pushed = ourCdr(history)
      const { end, start } = history.profile.cdrNames
      return pushed === undefined
        ? { notTested: "No CDR of our session came" }
        : sameFields(item, pushed.body, ["id", start, end, "total_energy", "total_time", "total_cost"])
    })
  }
])

const wantedStatuses = ["CHARGING", "AVAILABLE"]

/** Waits until the EVSE is shown as free again, and looks at how its status went. */
export const evseStatus: JourneyStage = {
  id: "evse-status",
  name: "The EVSE's status follows the session",
  actor: "partner",
  module: "locations",
  description:
    "The partner shows the EVSE as CHARGING while the session runs, and as AVAILABLE again afterwards.",
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
    title: `The EVSE is shown as ${status} ${status === "CHARGING" ? "while the session runs" : "after the session"}`,
    ...should,
    reference: "mod_locations, Status enum",
    checkId: "JRN-004",
    setOffBy: setOffByStart,
    judge: (history) => {
      const told = evseStatusesOf(history)
      const isTold = status === "CHARGING" ? told.includes(status) : told.at(-1) === status
      if (status === "AVAILABLE" && told.length === 0) return { notTested: "No status was pushed" }
      return isTold
        ? undefined
        : {
            message: `The EVSE was not shown as ${status} in time`,
            pointer: "/status",
            expected: status,
            actual: told.join(", ") || "nothing"
          }
    }
  }))
}
