/** Faults of a CPO while charging: commands, sessions and CDRs, pushed and pulled. */
import { dateTimeMillis } from "../../ocpi/dateTime.ts"
import type { Behaviour, Push } from "../../party/Behaviours.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../../party/json.ts"
import type { OcpiRequest } from "../../party/Parties.ts"
import { allVersions, cpo, type Fault, withRoles } from "./Fault.ts"
import {
  aboutCommand,
  aboutList,
  aboutModule,
  type EditReply,
  editData,
  editEnvelope,
  editObjects,
  headerOf,
  jsonOf,
  when,
  withHeader
} from "./replies.ts"

const base = { module: "commands", versions: allVersions, roles: cpo, strength: "must" } as const

/** Milliseconds by which a late result comes too late, and the seconds that such a partner promises. */
const lateMillis = 6_000
const promisedSeconds = 2
/** Objects changed within these milliseconds are of today's test; what is older was there before. */
const recentMillis = 12 * 3_600_000

type EditPush = Behaviour["push"]

const isResult = (push: Push) => push.operation === "command-result"
const never =
  (...modules: ReadonlyArray<string>): EditPush =>
  (push) =>
    modules.includes(push.module) ? [] : [push]
const editPush =
  (module: string, edit: (body: JsonObject) => unknown): EditPush =>
  (push) =>
    push.module === module && !isResult(push) && isObject(push.body)
      ? [{ ...push, body: edit(push.body) }]
      : [push]
const result =
  (edit: (push: Push) => ReadonlyArray<Push>): EditPush =>
  (push) =>
    isResult(push) ? edit(push) : [push]

const isRecent = (object: JsonObject, { receivedAt }: OcpiRequest) =>
  Date.parse(receivedAt) - (dateTimeMillis(object["last_updated"]) ?? 0) < recentMillis

/** Recent objects of a list only. */
const recent = (module: string, edit: (object: JsonObject) => JsonObject): EditReply =>
  when(
    aboutList(module),
    editObjects((object, request) => (isRecent(object, request) ? edit(object) : object))
  )

/** Leaves recent objects out of a list, and counts without them. */
const hidden = (module: string): EditReply =>
  when(aboutList(module), (request, reply) => {
    const items = objectsIn(objectIn(jsonOf(reply))["data"])
    const left = items.filter((item) => !isRecent(item, request))
    const total = Number(headerOf(reply, "X-Total-Count")) - (items.length - left.length)
    if (left.length === items.length) return reply
    return withHeader(
      editEnvelope((envelope) => ({ ...envelope, data: left }))(request, reply),
      "X-Total-Count",
      String(total)
    )
  })

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

export const chargingFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.no-result",
    description: "Accepts commands and never sends their result",
    caughtBy: ["CMD-004"],
    behaviour: { push: result(() => []) }
  },
  {
    ...base,
    id: "commands.late-result",
    versions: withRoles,
    strength: "should",
    description: `Promises a command's result within ${promisedSeconds} s and sends it ${lateMillis / 1000} s after that`,
    caughtBy: ["CMD-005"],
    behaviour: {
      reply: when(
        aboutModule("commands"),
        editData((data) =>
          isObject(data) && "timeout" in data ? { ...data, timeout: promisedSeconds } : data
        )
      ),
      push: result((push) => [
        { ...push, delayMillis: push.delayMillis + promisedSeconds * 1000 + lateMillis }
      ])
    }
  },
  {
    ...base,
    id: "commands.result-twice",
    strength: "should",
    description: "Sends each command's result twice",
    caughtBy: ["CMD-009"],
    behaviour: { push: result((push) => [push, { ...push, delayMillis: push.delayMillis + 200 }]) }
  },
  {
    ...base,
    id: "commands.enveloped-result",
    strength: "should",
    description: "Wraps a command's result in the response envelope",
    caughtBy: ["CMD-007"],
    behaviour: {
      push: result((push) => [{ ...push, body: { data: push.body, status_code: 1000 } }])
    }
  },
  {
    ...base,
    id: "commands.result-failed",
    versions: withRoles,
    description: "Accepts commands, then reports that the charge point failed; nothing is charged",
    caughtBy: ["CMD-020", "JRN-002"],
    behaviour: {
      reply: hidden("sessions"),
      push: (push) =>
        isResult(push)
          ? [{ ...push, body: { ...objectIn(push.body), result: "FAILED" } }]
          : never("sessions", "cdrs", "locations")(push)
    }
  },
  {
    ...base,
    id: "commands.start-rejected",
    description: "Rejects every START_SESSION",
    caughtBy: ["JRN-002"],
    behaviour: {
      reply: (request, reply) =>
        hidden("sessions")(
          request,
          when(
            aboutCommand("START_SESSION"),
            editData((data) => (isObject(data) ? { ...data, result: "REJECTED" } : data))
          )(request, reply)
        ),
      push: (push) => (isResult(push) ? [] : never("sessions", "cdrs", "locations")(push))
    }
  },
  {
    ...base,
    id: "sessions.never-active",
    module: "sessions",
    description: "Leaves a started session at PENDING for ever",
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
    description: "Takes STOP_SESSION and never reports the session as COMPLETED",
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
    description: "Makes no CDR for a completed session",
    caughtBy: ["CDR-036", "JRN-002"],
    behaviour: { reply: hidden("cdrs"), push: never("cdrs") }
  },
  {
    ...base,
    id: "cdrs.wrong-total",
    module: "cdrs",
    versions: withRoles,
    description: "Charges 10 more than the cost components of the CDR add up to",
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
    description: "Names a session in the CDR that there is not",
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
