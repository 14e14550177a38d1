/** Sandbox CPOs with one fault each, and the assertions that it breaks: these and no others. */
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { type JsonObject, objectIn } from "../../../src/findings/json.ts"
import { templateById } from "../../../src/journeys/catalogue/catalogue.ts"
import type { Behaviour } from "../../../src/party/wire/PartnerQuirks.ts"
import { faultsById } from "../../../src/sandbox/faults/faultLibrary.ts"
import { editPush, hidden, recent } from "../../../src/sandbox/faults/pushes.ts"
import { aboutCommand, aboutList, editData, when } from "../../../src/sandbox/faults/replies.ts"
import type { Played } from "./sandboxJourney.ts"

export interface FaultyCpo extends Played {
  /** `that … is caught`: what it does. */
  readonly name: string
  readonly breaks: ReadonlyArray<string>
}

/** In every version that has the template and the faults, or `only` in these. */
interface Scene extends Omit<FaultyCpo, "version"> {
  readonly only?: ReadonlyArray<OcpiVersion>
}

const withRoles: ReadonlyArray<OcpiVersion> = ["2.2", "2.2.1", "2.3.0"]

/** A Price of half the amount, in the fields of each version. */
const halved = (price: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(objectIn(price)).map(([name, amount]) => [
      name,
      typeof amount === "number" ? amount / 2 : amount
    ])
  )

const remoteStart: ReadonlyArray<Scene> = [
  {
    templateId: "remote-start",
    name: "bills a session never",
    faults: ["cdrs.never-sent"],
    breaks: ["cdr.received"]
  },
  {
    templateId: "remote-start",
    name: "wraps results in an envelope",
    faults: ["commands.enveloped-result"],
    breaks: ["start-result.shape"]
  },
  {
    templateId: "remote-start",
    name: "names a session that there is not",
    faults: ["cdrs.other-session"],
    breaks: ["consistency.session-id"]
  },
  {
    templateId: "remote-start",
    name: "charges more than the parts that it names, and than the session",
    faults: ["cdrs.wrong-total"],
    breaks: ["consistency.cost"]
  },
  {
    templateId: "remote-start",
    name: "charges less than the parts add up to",
    only: withRoles,
    deviation: {
      push: editPush("cdrs", ({ total_cost, ...cdr }) => ({ ...cdr, total_cost: halved(total_cost) }))
    },
    breaks: ["consistency.cost-sum"]
  },
  {
    templateId: "remote-start",
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

const starts: ReadonlyArray<Scene> = [
  {
    templateId: "start-rejected",
    name: "accepts what cannot be",
    deviation: saysYes,
    breaks: ["refusal.refused"]
  },
  {
    templateId: "start-rejected",
    name: "accepts what cannot be, with half an answer",
    // In 2.1.1 that is a whole one.
    only: withRoles,
    deviation: {
      reply: when(
        aboutCommand("START_SESSION"),
        editData(() => ({ result: "ACCEPTED" }))
      )
    },
    breaks: ["refusal.refused", "start-session.shape"]
  },
  {
    templateId: "start-rejected",
    name: "crashes over what cannot be",
    deviation: {
      reply: when(aboutCommand("START_SESSION"), (_, reply) => ({ ...reply, httpStatus: 500, body: null }))
    },
    breaks: ["start-session.answered"]
  },
  {
    templateId: "start-rejected",
    name: "refuses with half an answer",
    faults: ["commands.no-timeout"],
    breaks: ["start-session.shape"]
  },
  {
    templateId: "start-timeout",
    name: "starts late, after a time-out",
    faults: ["commands.late-start"],
    breaks: ["nothing-starts.no-session"]
  },
  {
    templateId: "start-timeout",
    name: "never tells a result",
    faults: ["commands.no-result"],
    breaks: ["start-result.received"]
  },
  {
    templateId: "unlock",
    name: "unlocks in secret",
    faults: ["commands.unlock-without-result"],
    breaks: ["unlock-result.received"]
  },
  {
    templateId: "unlock",
    name: "wraps results in an envelope",
    faults: ["commands.enveloped-result"],
    breaks: ["unlock-result.shape"]
  }
]

/** The session as it is, but for that status. */
const pendingFor = (status: string) => (session: JsonObject) =>
  session["status"] === status ? { ...session, status: "PENDING" } : session

const reservations: ReadonlyArray<Scene> = [
  {
    templateId: "reserve-and-use",
    name: "shows a reserved EVSE as available",
    // The run waits for the reservation, and time flies at a sandbox partner.
    inputs: { reservedSeconds: 7200 },
    faults: ["locations.reserved-not-shown"],
    breaks: ["reserved.evse"]
  },
  {
    templateId: "reserve-and-use",
    name: "calls a reservation PENDING",
    only: withRoles,
    inputs: { reservedSeconds: 7200 },
    deviation: { push: editPush("sessions", pendingFor("RESERVATION")) },
    breaks: ["reserved.session"]
  },
  {
    templateId: "reserve-and-use",
    name: "wraps results in an envelope",
    faults: ["commands.enveloped-result"],
    inputs: { reservedSeconds: 7200 },
    breaks: ["reserve-result.shape"]
  },
  {
    templateId: "reserve-and-use",
    name: "charges beside the reservation",
    faults: ["sessions.beside-reservation"],
    breaks: ["one-session.same"]
  },
  {
    templateId: "reserve-and-cancel",
    name: "does not cancel",
    faults: ["commands.never-cancels"],
    breaks: ["cancel-result.accepted"]
  },
  {
    templateId: "reserve-and-cancel",
    name: "never ends the session of a reservation",
    faults: ["sessions.reservation-never-ends"],
    breaks: ["released.session"]
  },
  {
    templateId: "reserve-and-expire",
    name: "shows a reserved EVSE as available",
    faults: ["locations.reserved-not-shown"],
    inputs: { reservedSeconds: 7200 },
    breaks: ["reserved.evse"]
  },
  {
    templateId: "reserve-and-expire",
    name: "never ends the session of a reservation",
    faults: ["sessions.reservation-never-ends"],
    breaks: ["released.session"]
  },
  {
    templateId: "reserve-and-expire",
    name: "wraps results in an envelope",
    faults: ["commands.enveloped-result"],
    breaks: ["reserve-result.shape"]
  }
]

const denied: ReadonlyArray<Scene> = [
  { templateId: "rfid-blocked" } as const,
  { templateId: "rfid-expired" } as const,
  { templateId: "rfid-no-credit" } as const,
  { templateId: "rfid-unknown" } as const
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

const cards: ReadonlyArray<Scene> = [
  {
    templateId: "rfid-allowed",
    name: "asks without a place",
    faults: ["tokens.asks-without-place"],
    breaks: ["authorize.place"]
  },
  {
    templateId: "rfid-allowed",
    name: "asks for no card that it knows",
    faults: ["tokens.asks-for-none"],
    inputs: { waitSeconds: 60 },
    breaks: ["authorize.asked"]
  },
  {
    templateId: "rfid-allowed",
    name: "names a reference of its own",
    faults: ["sessions.own-reference"],
    breaks: ["session-active.authorization-reference", "consistency.authorization-reference"]
  },
  {
    templateId: "rfid-offline",
    name: "bills more energy than it gave",
    faults: ["cdrs.more-energy"],
    breaks: ["consistency.energy"]
  },
  {
    templateId: "rfid-offline",
    name: "says that a command was the authorization",
    only: withRoles,
    deviation: { push: editPush("sessions", saysCommand) },
    breaks: ["session-active.auth-method"]
  },
  {
    templateId: "rfid-offline",
    name: "bills a session never",
    faults: ["cdrs.never-sent"],
    breaks: ["cdr.received"]
  }
]

const lookedAt: ReadonlyArray<Scene> = [
  {
    templateId: "session-updates-patch",
    name: "lists no session of today",
    faults: ["sessions.not-listed"],
    breaks: ["read-sessions.listed"]
  },
  {
    templateId: "session-updates-patch",
    name: "lists sessions otherwise than it pushed them",
    faults: ["sessions.listed-otherwise"],
    breaks: ["read-sessions.same"]
  },
  {
    templateId: "session-updates-patch",
    name: "tells one charging period in every update",
    only: withRoles,
    deviation: { push: editPush("sessions", repeatsPeriod) },
    breaks: ["update-forms.new-periods"]
  },
  {
    templateId: "session-updates-put",
    name: "lists no session of today",
    faults: ["sessions.not-listed"],
    breaks: ["read-sessions.listed"]
  },
  {
    templateId: "session-updates-put",
    name: "sends the latest charging period only",
    deviation: { push: editPush("sessions", latestPeriod) },
    breaks: ["update-forms.keeps-periods"]
  },
  {
    templateId: "evse-status",
    name: "never shows an EVSE as CHARGING",
    deviation: { push: notTold("CHARGING") },
    breaks: ["evse-status.charging"]
  },
  {
    templateId: "evse-status",
    name: "never frees an EVSE",
    deviation: { push: notTold("AVAILABLE") },
    breaks: ["evse-status.available"]
  },
  {
    templateId: "cdr-reconciliation",
    name: "lists no CDR of today",
    deviation: { reply: hidden("cdrs") },
    breaks: ["read-cdrs.listed"]
  },
  {
    templateId: "cdr-reconciliation",
    name: "lists CDRs otherwise than it pushed them",
    deviation: {
      reply: recent("cdrs", (cdr) => ({ ...cdr, total_energy: Number(cdr["total_energy"]) + 1 }))
    },
    breaks: ["read-cdrs.same"]
  },
  {
    templateId: "tariff-change",
    name: "bills more energy than it gave",
    faults: ["cdrs.more-energy"],
    breaks: ["consistency.energy"]
  },
  {
    templateId: "tariff-change",
    name: "names a tariff that it keeps to itself",
    inputs: { waitSeconds: 30 },
    deviation: { push: (push) => (push.operation === "PUT tariff" ? [] : [push]) },
    breaks: ["tariff-change.received"]
  },
  {
    templateId: "tariff-change",
    name: "keeps the price of a connector to itself",
    // Shorter than the charge, which ends by itself.
    inputs: { waitSeconds: 30 },
    deviation: { push: (push) => (push.operation === "PATCH connector" ? [] : [push]) },
    breaks: ["tariff-change.connector"]
  },
  {
    templateId: "tariff-change",
    name: "forgets the tariff with which a charge began",
    only: withRoles,
    deviation: { push: editPush("cdrs", lastTariff) },
    breaks: ["billed-tariffs.carried"]
  },
  {
    templateId: "tariff-change",
    name: "charges more than the parts add up to",
    faults: ["cdrs.wrong-total"],
    breaks: ["billed-tariffs.cost"]
  },
  {
    templateId: "credit-cdr",
    name: "does not say that a CDR is a Credit CDR",
    inputs: { waitSeconds: 60 },
    deviation: { push: editPush("cdrs", ({ credit: _, ...cdr }) => cdr) },
    breaks: ["credit-cdr.received"]
  },
  {
    templateId: "credit-cdr",
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
    name: "never tells the result of a profile",
    faults: ["chargingprofiles.no-result"],
    breaks: ["set-result.received"]
  },
  {
    templateId: "charging-profile",
    name: "wraps results of profiles in an envelope",
    faults: ["chargingprofiles.enveloped-result"],
    breaks: ["set-result.shape"]
  },
  {
    templateId: "sync-after-absence",
    name: "lists no session of today",
    faults: ["sessions.not-listed"],
    breaks: ["read-running.listed"]
  },
  {
    templateId: "sync-after-absence",
    name: "lists no CDR of today",
    deviation: { reply: hidden("cdrs") },
    breaks: ["read-billed.listed"]
  },
  {
    templateId: "first-reads",
    name: "puts its locations under a key",
    faults: ["locations.list-under-key"],
    breaks: ["read-locations.list"]
  },
  {
    templateId: "first-reads",
    name: "crashes over its CDRs",
    deviation: { reply: when(aboutList("cdrs"), (_, reply) => ({ ...reply, httpStatus: 500, body: null })) },
    breaks: ["read-cdrs.answered"]
  }
]

const inEachVersion = ({ only, ...scene }: Scene): ReadonlyArray<FaultyCpo> =>
  (templateById(scene.templateId)?.supportedVersions ?? [])
    .filter((version) => only?.includes(version) ?? true)
    .filter((version) => (scene.faults ?? []).every((id) => faultsById.get(id)?.versions.includes(version)))
    .map((version) => ({ ...scene, version }))

export const faultyCpos: ReadonlyArray<FaultyCpo> = [
  ...remoteStart,
  ...starts,
  ...reservations,
  ...cards,
  ...denied,
  ...lookedAt
].flatMap(inEachVersion)

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
