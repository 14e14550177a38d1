/** Faults in the sessions and CDRs of a charge that an EMSP starts at a CPO. */

import { type JsonObject, objectIn } from "../../../findings/json.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import { allVersions, cpo, type Fault, withRoles } from "../Fault.ts"
import { editPush, hidden, never, recent } from "../pushes.ts"
import { aboutList, editObjects, when } from "../replies.ts"

const base = { versions: allVersions, roles: cpo, strength: "must" } as const

const raised = (price: unknown): unknown =>
  typeof price === "number"
    ? price + 10
    : Object.fromEntries(
        Object.entries(objectIn(price)).map(([key, value]) => [
          key,
          typeof value === "number" ? value + 10 : value
        ])
      )
const wrongTotal = (cdr: JsonObject) => ({ ...cdr, total_cost: raised(cdr["total_cost"]) })
const otherSession = (cdr: JsonObject) => ({ ...cdr, session_id: "NO-SUCH-SESSION" })
const pending = ({ charging_periods: _, total_cost: __, ...session }: JsonObject) => ({
  ...session,
  status: "PENDING",
  kwh: 0
})
const unfinished = ({ end_date_time: _, end_datetime: __, ...session }: JsonObject) => ({
  ...session,
  status: "ACTIVE"
})
const isFinal = (push: Push) => objectIn(push.body)["status"] === "COMPLETED"
const inWattHours = (session: JsonObject) => ({ ...session, kwh: Number(session["kwh"]) * 1000 })

/** Faults in how a charge ends up in a CPO's sessions and CDRs: states that never come, wrong units and wrong totals. */
export const sessionsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "sessions.never-active",
    module: "sessions",
    description: "Leaves a started session at PENDING forever",
    caughtBy: ["CMD-020", "JRN-002"],
    behaviour: {
      reply: recent("sessions", pending),
      push: (push) =>
        push.module === "cdrs" || (push.module === "sessions" && push.method === "PATCH")
          ? []
          : editPush("sessions", pending)(push)
    }
  },
  {
    ...base,
    id: "sessions.never-completed",
    module: "sessions",
    strength: "should",
    description: "Accepts STOP_SESSION and never reports the session as COMPLETED",
    caughtBy: ["CMD-026", "JRN-002"],
    behaviour: {
      reply: recent("sessions", (session) =>
        session["status"] === "COMPLETED" ? unfinished(session) : session
      ),
      push: (push) => (push.module === "sessions" && isFinal(push) ? [] : never("cdrs")(push))
    }
  },
  {
    ...base,
    id: "sessions.watt-hours",
    module: "sessions",
    strength: "should",
    description: "Gives a session's energy in Wh instead of kWh",
    caughtBy: ["SESS-007"],
    behaviour: {
      reply: when(aboutList("sessions"), editObjects(inWattHours)),
      push: editPush("sessions", (session) => ("kwh" in session ? inWattHours(session) : session))
    }
  },
  {
    ...base,
    id: "cdrs.never-sent",
    module: "cdrs",
    strength: "should",
    description: "Sends no CDR for a completed session",
    caughtBy: ["CDR-036", "JRN-002"],
    behaviour: { reply: hidden("cdrs"), push: never("cdrs") }
  },
  {
    ...base,
    id: "cdrs.wrong-total",
    module: "cdrs",
    versions: withRoles,
    description: "Charges 10 more than the sum of the CDR's cost components",
    caughtBy: ["CDR-012"],
    behaviour: {
      reply: when(aboutList("cdrs"), editObjects(wrongTotal)),
      push: editPush("cdrs", wrongTotal)
    }
  },
  {
    ...base,
    id: "cdrs.other-session",
    module: "cdrs",
    versions: withRoles,
    strength: "should",
    description: "References a session in the CDR that does not exist",
    caughtBy: ["CDR-021"],
    behaviour: {
      reply: when(aboutList("cdrs"), editObjects(otherSession)),
      push: editPush("cdrs", otherSession)
    }
  },
  {
    ...base,
    id: "cdrs.time-in-seconds",
    module: "cdrs",
    description: "Gives total_time in seconds instead of hours",
    caughtBy: ["CDR-009"],
    behaviour: {
      reply: when(aboutList("cdrs"), editObjects(inSeconds)),
      push: editPush("cdrs", inSeconds)
    }
  }
]

function inSeconds(cdr: JsonObject): JsonObject {
  return { ...cdr, total_time: Math.round(Number(cdr["total_time"]) * 3600) }
}
