/** Sandbox CPOs with one fault each, and the assertions that it breaks: these and no others. */
import type { Behaviour } from "../../src/party/Behaviours.ts"
import { type JsonObject, objectIn } from "../../src/party/json.ts"
import { editPush, hidden, recent } from "../../src/sandbox/faults/pushes.ts"
import { aboutCommand, aboutList, editData, when } from "../../src/sandbox/faults/replies.ts"
import type { Played } from "./sandboxJourney.ts"

export interface FaultyCpo extends Played {
  /** `that … is caught`: what it does. */
  readonly name: string
  readonly breaks: ReadonlyArray<string>
}

const remoteStart: ReadonlyArray<FaultyCpo> = [
  {
    templateId: "remote-start",
    version: "2.1.1",
    name: "bills a session never",
    faults: ["cdrs.never-sent"],
    breaks: ["cdr.received"]
  },
  {
    templateId: "remote-start",
    version: "2.1.1",
    name: "wraps results in an envelope",
    faults: ["commands.enveloped-result"],
    breaks: ["start-result.shape", "stop-result.shape"]
  },
  {
    templateId: "remote-start",
    version: "2.2",
    name: "names a session that there is not",
    faults: ["cdrs.other-session"],
    breaks: ["consistency.session-id"]
  },
  {
    templateId: "remote-start",
    version: "2.3.0",
    name: "charges more than the parts add up to",
    faults: ["cdrs.wrong-total"],
    breaks: ["consistency.cost", "consistency.cost-sum"]
  },
  {
    templateId: "remote-start",
    version: "2.2.1",
    name: "names a reference of its own",
    faults: ["sessions.own-reference"],
    breaks: ["session-active.authorization-reference", "consistency.authorization-reference"]
  }
]

/** Says yes to every START_SESSION. */
const saysYes: Partial<Behaviour> = {
  reply: when(
    aboutCommand("START_SESSION"),
    editData((data) => ({ ...objectIn(data), result: "ACCEPTED" }))
  )
}

const starts: ReadonlyArray<FaultyCpo> = [
  {
    templateId: "start-rejected",
    version: "2.1.1",
    name: "accepts what cannot be",
    deviation: saysYes,
    breaks: ["refusal.refused"]
  },
  {
    templateId: "start-rejected",
    version: "2.3.0",
    name: "refuses with half an answer",
    faults: ["commands.no-timeout"],
    breaks: ["start-session.shape"]
  },
  {
    templateId: "start-timeout",
    version: "2.2.1",
    name: "starts late, after a time-out",
    faults: ["commands.late-start"],
    breaks: ["nothing-starts.no-session"]
  },
  {
    templateId: "start-timeout",
    version: "2.1.1",
    name: "never tells a result",
    faults: ["commands.no-result"],
    breaks: ["start-result.received"]
  },
  {
    templateId: "unlock",
    version: "2.2",
    name: "unlocks in secret",
    faults: ["commands.unlock-without-result"],
    breaks: ["unlock-result.received"]
  },
  {
    templateId: "unlock",
    version: "2.1.1",
    name: "wraps results in an envelope",
    faults: ["commands.enveloped-result"],
    breaks: ["unlock-result.shape"]
  }
]

/** The session as it is, but for that status. */
const pendingFor = (status: string) => (session: JsonObject) =>
  session["status"] === status ? { ...session, status: "PENDING" } : session

const reservations: ReadonlyArray<FaultyCpo> = [
  {
    templateId: "reserve-and-use",
    version: "2.1.1",
    name: "shows a reserved EVSE as available",
    faults: ["locations.reserved-not-shown"],
    breaks: ["reserved.evse"]
  },
  {
    templateId: "reserve-and-use",
    version: "2.2.1",
    name: "calls a reservation PENDING",
    // The run waits for the reservation, and time flies at a sandbox partner.
    inputs: { reservedSeconds: 7200 },
    deviation: { push: editPush("sessions", pendingFor("RESERVATION")) },
    breaks: ["reserved.session", "one-session.same"]
  },
  {
    templateId: "reserve-and-use",
    version: "2.3.0",
    name: "charges beside the reservation",
    faults: ["sessions.beside-reservation"],
    breaks: ["one-session.same"]
  },
  {
    templateId: "reserve-and-cancel",
    version: "2.2",
    name: "does not cancel",
    faults: ["commands.never-cancels"],
    breaks: ["cancel-result.accepted"]
  },
  {
    templateId: "reserve-and-cancel",
    version: "2.3.0",
    name: "never ends the session of a reservation",
    faults: ["sessions.reservation-never-ends"],
    breaks: ["released.session"]
  },
  {
    templateId: "reserve-and-expire",
    version: "2.2.1",
    name: "never ends the session of a reservation",
    faults: ["sessions.reservation-never-ends"],
    breaks: ["released.session"]
  },
  {
    templateId: "reserve-and-expire",
    version: "2.1.1",
    name: "wraps results in an envelope",
    faults: ["commands.enveloped-result"],
    breaks: ["reserve-result.shape"]
  }
]

const denied: ReadonlyArray<FaultyCpo> = [
  { templateId: "rfid-blocked", version: "2.1.1" } as const,
  { templateId: "rfid-expired", version: "2.2" } as const,
  { templateId: "rfid-no-credit", version: "2.2.1" } as const,
  { templateId: "rfid-unknown", version: "2.3.0" } as const
].flatMap((scene) => [
  {
    ...scene,
    name: "lets everybody charge",
    faults: ["tokens.denied-starts"],
    breaks: ["nothing-starts.no-session"]
  },
  {
    ...scene,
    name: "asks without a place",
    faults: ["tokens.asks-without-place"],
    breaks: ["authorize.place"]
  }
])

const cards: ReadonlyArray<FaultyCpo> = [
  {
    templateId: "rfid-allowed",
    version: "2.1.1",
    name: "asks without a place",
    faults: ["tokens.asks-without-place"],
    breaks: ["authorize.place"]
  },
  {
    templateId: "rfid-allowed",
    version: "2.2",
    name: "asks for no card that it knows",
    faults: ["tokens.asks-for-none"],
    inputs: { waitSeconds: 60 },
    breaks: ["authorize.asked", "asked-first.order"]
  },
  {
    templateId: "rfid-allowed",
    version: "2.3.0",
    name: "names a reference of its own",
    faults: ["sessions.own-reference"],
    breaks: ["session-active.authorization-reference", "consistency.authorization-reference"]
  },
  {
    templateId: "rfid-offline",
    version: "2.2",
    name: "says that a command was the authorization",
    deviation: { push: editPush("sessions", saysCommand) },
    breaks: ["session-active.auth-method"]
  },
  {
    templateId: "rfid-offline",
    version: "2.1.1",
    name: "bills a session never",
    faults: ["cdrs.never-sent"],
    breaks: ["cdr.received"]
  }
]

const lookedAt: ReadonlyArray<FaultyCpo> = [
  {
    templateId: "session-updates-patch",
    version: "2.1.1",
    name: "lists sessions otherwise than it pushed them",
    faults: ["sessions.listed-otherwise"],
    breaks: ["read-sessions.same"]
  },
  {
    templateId: "session-updates-patch",
    version: "2.2",
    name: "tells one charging period in every update",
    deviation: { push: editPush("sessions", repeatsPeriod) },
    breaks: ["update-forms.new-periods"]
  },
  {
    templateId: "session-updates-put",
    version: "2.3.0",
    name: "lists no session of today",
    faults: ["sessions.not-listed"],
    breaks: ["read-sessions.listed"]
  },
  {
    templateId: "session-updates-put",
    version: "2.2.1",
    name: "sends the latest charging period only",
    deviation: { push: editPush("sessions", latestPeriod) },
    breaks: ["update-forms.keeps-periods"]
  },
  {
    templateId: "evse-status",
    version: "2.1.1",
    name: "never shows an EVSE as CHARGING",
    deviation: { push: notTold("CHARGING") },
    breaks: ["evse-status.charging"]
  },
  {
    templateId: "evse-status",
    version: "2.2.1",
    name: "never frees an EVSE",
    deviation: { push: notTold("AVAILABLE") },
    breaks: ["evse-status.available"]
  },
  {
    templateId: "cdr-reconciliation",
    version: "2.1.1",
    name: "lists no CDR of today",
    deviation: { reply: hidden("cdrs") },
    breaks: ["read-cdrs.listed"]
  },
  {
    templateId: "cdr-reconciliation",
    version: "2.2",
    name: "lists CDRs otherwise than it pushed them",
    deviation: {
      reply: recent("cdrs", (cdr) => ({ ...cdr, total_energy: Number(cdr["total_energy"]) + 1 }))
    },
    breaks: ["read-cdrs.same"]
  },
  {
    templateId: "tariff-change",
    version: "2.1.1",
    name: "keeps the price of a connector to itself",
    // Shorter than the charge, which ends by itself.
    inputs: { waitSeconds: 30 },
    deviation: { push: (push) => (push.operation === "PATCH connector" ? [] : [push]) },
    breaks: ["tariff-change.connector"]
  },
  {
    templateId: "tariff-change",
    version: "2.2.1",
    name: "forgets the tariff with which a charge began",
    deviation: { push: editPush("cdrs", lastTariff) },
    breaks: ["billed-tariffs.carried"]
  },
  {
    templateId: "tariff-change",
    version: "2.3.0",
    name: "charges more than the parts add up to",
    faults: ["cdrs.wrong-total"],
    breaks: ["billed-tariffs.cost", "consistency.cost", "consistency.cost-sum"]
  },
  {
    templateId: "credit-cdr",
    version: "2.2.1",
    name: "takes back nothing",
    deviation: { push: (push) => (objectIn(push.body)["credit"] === true ? [] : [push]) },
    breaks: ["credit-cdr.received"]
  },
  {
    templateId: "credit-cdr",
    version: "2.3.0",
    name: "takes back another CDR",
    deviation: {
      push: editPush("cdrs", (cdr) =>
        cdr["credit"] === true ? { ...cdr, credit_reference_id: "ANOTHER" } : cdr
      )
    },
    breaks: ["credit-cdr.reference"]
  },
  {
    templateId: "charging-profile",
    version: "2.2",
    name: "never tells the result of a profile",
    faults: ["chargingprofiles.no-result"],
    breaks: ["set-result.received", "read-result.received", "clear-result.received"]
  },
  {
    templateId: "charging-profile",
    version: "2.3.0",
    name: "wraps results of profiles in an envelope",
    faults: ["chargingprofiles.enveloped-result"],
    breaks: ["set-result.shape", "read-result.shape", "clear-result.shape"]
  },
  {
    templateId: "sync-after-absence",
    version: "2.1.1",
    name: "lists no session of today",
    faults: ["sessions.not-listed"],
    breaks: ["read-running.listed"]
  },
  {
    templateId: "sync-after-absence",
    version: "2.2.1",
    name: "lists no CDR of today",
    deviation: { reply: hidden("cdrs") },
    breaks: ["read-billed.listed"]
  },
  {
    templateId: "first-reads",
    version: "2.1.1",
    name: "puts its locations under a key",
    faults: ["locations.list-under-key"],
    breaks: ["read-locations.list"]
  },
  {
    templateId: "first-reads",
    version: "2.3.0",
    name: "crashes over its CDRs",
    deviation: { reply: when(aboutList("cdrs"), (_, reply) => ({ ...reply, httpStatus: 500, body: null })) },
    breaks: ["read-cdrs.answered"]
  }
]

export const faultyCpos: ReadonlyArray<FaultyCpo> = [
  ...remoteStart,
  ...starts,
  ...reservations,
  ...cards,
  ...denied,
  ...lookedAt
]

function saysCommand(session: JsonObject): JsonObject {
  return "auth_method" in session ? { ...session, auth_method: "COMMAND" } : session
}

/** Nothing is told of an EVSE that gets that status. */
function notTold(status: string): Behaviour["push"] {
  return (push) => (push.operation === "PATCH evse" && objectIn(push.body)["status"] === status ? [] : [push])
}

/** One and the same period in every update. */
function repeatsPeriod(session: JsonObject): JsonObject {
  const periods = session["charging_periods"]
  const start_date_time = "2026-06-01T12:00:00Z"
  return Array.isArray(periods) && periods.length > 0
    ? {
        ...session,
        charging_periods: [{ start_date_time, dimensions: [{ type: "TIME", volume: 0 }] }, ...periods]
      }
    : session
}

function latestPeriod(session: JsonObject): JsonObject {
  const periods = session["charging_periods"]
  return Array.isArray(periods) ? { ...session, charging_periods: periods.slice(-1) } : session
}

function lastTariff(cdr: JsonObject): JsonObject {
  const { tariffs } = cdr
  return Array.isArray(tariffs) ? { ...cdr, tariffs: tariffs.slice(-1) } : cdr
}
