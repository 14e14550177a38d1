/** Single faults of strangers in journeys: the rule of the journey that has to find each. */
import { templateById } from "../../../src/journeys/catalogue/catalogue.ts"
import type { Bend } from "../partner/Bend.ts"
import type { Freedoms } from "../partner/Freedoms.ts"
import type { Json } from "../partner/objects/validity.ts"
import type { Call, Heard } from "../partner/wire.ts"
import {
  at,
  both,
  change,
  data,
  every,
  instead,
  isListOf,
  isProfileResult,
  isPushOf,
  isResult,
  json,
  keeping,
  parameters,
  pretending,
  receiving,
  refusing,
  sending,
  set,
  storing,
  those,
  within,
  without
} from "./bends.ts"
import { type Bending, fault, type Others } from "./Mutation.ts"

/** A fault, and the journey in which it is to be seen. Ids of rules stand where a mutation has those of checks. */
export interface JourneyFault {
  readonly id: string
  readonly templateId: string
  readonly caughtBy: string
  readonly follows: ReadonlyArray<string>
  readonly versions?: string
  readonly needs?: Partial<Freedoms>
  readonly bend: Bending
}

const rule = (
  id: string,
  templateId: string,
  caughtBy: string,
  bend: Bending,
  others: Pick<Others, "follows" | "versions" | "needs"> = {}
): JourneyFault => ({ ...fault(id, caughtBy, bend, others), templateId })

// --- where and what ------------------------------------------------------------------------------------------------

const command = (name: string) => both(at("commands", "POST"), (_, { below }) => below[0] === name)
const rejected = { http: 200, code: 1000, data: { result: "REJECTED", timeout: 30 } }
const accepted = { http: 200, code: 1000, data: { result: "ACCEPTED", timeout: 30 } }
const statusOf = (call: Call): unknown => (call.json as Json | undefined)?.["status"]
/** Pushes of a module with that status are not sent. */
const silent = (module: string, ...statuses: ReadonlyArray<string>) =>
  sending(
    (call, of) =>
      isPushOf(module)(call, of) && (statuses.length === 0 || statuses.includes(String(statusOf(call)))),
    () => []
  )
/** Nothing of a module is sent or listed. */
const hidden = (module: string) => ({
  ...silent(module),
  lists: (all: ReadonlyArray<Json>, of: string) => (of === module ? [] : all)
})
const results = (edit: (json: Json) => Json) => sending(isResult, json(edit))
const isQuestion = ({ method, url }: Call) => method === "POST" && url.includes("/authorize")
const allowing: Heard = {
  http: 200,
  headers: {},
  json: { data: { allowed: "ALLOWED" }, status_code: 1000, timestamp: "2026-06-01T12:00:00Z" }
}

/** The charge is told as another session than its reservation. */
const secondSession = (): Bend => ({
  ...sending(
    (call, module) => isPushOf("sessions")(call, module) && statusOf(call) !== "RESERVATION",
    (call) => ({
      ...call,
      url: call.url.replace(/([^/?]+)(\?|$)/, "$1-B$2"),
      json: { ...(call.json as Json), id: `${(call.json as Json)["id"]}-B` }
    })
  ),
  ...every(
    "CDR",
    change("session_id", (id: string) => `${id}-B`)
  ),
  reads: (asked) => ({ ...asked, body: asked.body.replace(/("session_id":"[^"]+)-B"/, '$1"') })
})

// --- the rows ------------------------------------------------------------------------------------------------------

/** What nothing of a stranger's own accord hides: EVSEs stay free, changes are pushed, ids have no marks. */
export const seen: Partial<Freedoms> = {
  changesEach: 0,
  pushes: "put",
  ids: "plain",
  otherCase: false,
  parties: 1
}

const ofCpos: ReadonlyArray<JourneyFault> = [
  rule(
    "start.refused",
    "remote-start",
    "start-session.accepted",
    instead(command("START_SESSION"), rejected)
  ),
  rule(
    "start.no-result",
    "remote-start",
    "start-result.received",
    sending(isResult, () => []),
    {
      follows: "stop-result.received"
    }
  ),
  rule("start.failed-result", "remote-start", "start-result.accepted", results(set({ result: "FAILED" })), {
    versions: "2.2+"
  }),
  rule(
    "start.enveloped-result",
    "remote-start",
    "start-result.shape",
    results((data) => ({ data }))
  ),
  rule("session.never", "remote-start", "session-active.received", hidden("sessions")),
  rule(
    "session.other-token",
    "remote-start",
    "session-active.token",
    every("Session", within("cdr_token", set({ uid: "OTHER" }))),
    {
      versions: "2.2+",
      follows: "consistency.token"
    }
  ),
  rule(
    "session.no-reference",
    "remote-start",
    "session-active.authorization-reference",
    every("Session", without("authorization_reference")),
    {
      versions: "2.2+",
      follows: "consistency.authorization-reference"
    }
  ),
  rule("stop.refused", "remote-start", "stop-session.accepted", instead(command("STOP_SESSION"), rejected)),
  rule("session.never-over", "remote-start", "session-completed.received", silent("sessions", "COMPLETED"), {
    follows:
      "cdr.received consistency.nothing-after-completed consistency.cdr-last consistency.energy consistency.cost consistency.times"
  }),
  rule(
    "session.shrinks",
    "remote-start",
    "session-completed.energy-never-shrinks",
    those("Session", ({ status }) => status === "COMPLETED", set({ kwh: 0 })),
    {
      follows: "consistency.energy"
    }
  ),
  rule("cdr.never", "remote-start", "cdr.received", hidden("cdrs")),
  rule(
    "cdr.other-session",
    "remote-start",
    "consistency.session-id",
    every("CDR", set({ session_id: "NOBODYS" })),
    {
      versions: "2.2+"
    }
  ),
  rule(
    "cdr.more-energy",
    "remote-start",
    "consistency.energy",
    every(
      "CDR",
      change("total_energy", (kwh: number) => kwh + 5)
    )
  ),
  rule("rejected.accepts", "start-rejected", "refusal.refused", instead(command("START_SESSION"), accepted)),
  rule("rejected.starts", "start-rejected", "nothing-starts.no-session", storing(command("START_SESSION"))),
  rule("timeout.starts", "start-timeout", "nothing-starts.no-session", results(set({ result: "TIMEOUT" }))),
  rule("unlock.refused", "unlock", "unlock.accepted", instead(command("UNLOCK_CONNECTOR"), rejected)),
  rule(
    "unlock.no-result",
    "unlock",
    "unlock-result.received",
    sending(isResult, () => [])
  ),
  rule("reserve.refused", "reserve-and-use", "reserve.accepted", instead(command("RESERVE_NOW"), rejected)),
  rule("reserve.no-session", "reserve-and-cancel", "reserved.session", silent("sessions", "RESERVATION"), {
    follows: "released.session reserved.token"
  }),
  rule("reserve.evse-untold", "reserve-and-cancel", "reserved.evse", silent("locations", "RESERVED")),
  rule("reserve.two-sessions", "reserve-and-use", "one-session.same", secondSession, { versions: "2.2+" }),
  rule("reserve.never-over", "reserve-and-cancel", "released.session", silent("sessions", "COMPLETED")),
  rule("reserve.never-free", "reserve-and-cancel", "released.evse", silent("locations", "AVAILABLE")),
  rule(
    "cancel.refused",
    "reserve-and-cancel",
    "cancel.accepted",
    instead(command("CANCEL_RESERVATION"), rejected)
  ),
  rule("expire.never-over", "reserve-and-expire", "released.session", silent("sessions", "COMPLETED"), {
    versions: "2.2+"
  }),
  rule("evse.never-charging", "evse-status", "evse-status.charging", silent("locations", "CHARGING")),
  rule("evse.never-free", "evse-status", "evse-status.available", silent("locations", "AVAILABLE")),
  rule("sessions.unlisted", "cdr-reconciliation", "read-sessions.listed", {
    lists: (all, module) => (module === "sessions" ? [] : all)
  }),
  rule("cdrs.unlisted", "cdr-reconciliation", "read-cdrs.listed", {
    lists: (all, module) => (module === "cdrs" ? [] : all)
  }),
  rule(
    "absence.sessions-unlisted",
    "sync-after-absence",
    "read-running.listed",
    {
      lists: (all, module) => (module === "sessions" ? [] : all)
    },
    { follows: "read-over.listed" }
  ),
  rule("absence.cdrs-unlisted", "sync-after-absence", "read-billed.listed", {
    lists: (all, module) => (module === "cdrs" ? [] : all)
  }),
  rule(
    "profile.no-result",
    "charging-profile",
    "set-result.received",
    sending(isProfileResult, () => [])
  ),
  rule("card.not-asked", "rfid-allowed", "authorize.asked", {
    asks: (call) => (isQuestion(call) ? allowing : [call])
  }),
  rule(
    "card.no-place",
    "rfid-allowed",
    "authorize.place",
    sending(isQuestion, ({ json: _, ...call }) => call)
  ),
  rule("card.blocked-starts", "rfid-blocked", "nothing-starts.no-session", {
    hears: (heard, call) => (isQuestion(call) ? allowing : heard)
  }),
  rule("card.unknown-starts", "rfid-unknown", "nothing-starts.no-session", {
    hears: (heard, call) => (isQuestion(call) ? allowing : heard)
  }),
  rule("card.offline-denied", "rfid-offline", "session-active.received", {
    hears: (heard, call) =>
      isQuestion(call) ? { ...allowing, json: { data: { allowed: "BLOCKED" } } } : heard
  }),
  rule(
    "reads.no-list",
    "first-reads",
    "read-locations.list",
    data(isListOf("locations"), (all: ReadonlyArray<Json>) => all[0] ?? {}),
    {
      follows: "read-locations.answered"
    }
  )
]

const ofEmsps: ReadonlyArray<JourneyFault> = [
  rule(
    "taken.session-refused",
    "play-session",
    "begin-session.taken",
    refusing(receiving("sessions", "PUT"))
  ),
  rule("taken.patch-lost", "play-session", "read-session.same", pretending(receiving("sessions", "PATCH")), {
    versions: "2.2+"
  }),
  rule("taken.cdr-refused", "play-session", "send-cdr.taken", refusing(receiving("cdrs", "POST"))),
  rule(
    "taken.location-changed",
    "push-location",
    "read-location.same",
    keeping("locations", set({ name: "elsewhere" }), "PUT"),
    {
      follows: "read-again.same"
    }
  ),
  rule("taken.tariff-stays", "push-tariff", "read-gone.gone", pretending(receiving("tariffs", "DELETE"))),
  rule(
    "driver.nowhere",
    "partner-starts",
    "serve-start.came",
    sending(
      ({ method, url }, module) =>
        module === "commands" && method === "POST" && url.includes("START_SESSION"),
      json(set({ location_id: "NOWHERE" }))
    )
  ),
  rule(
    "driver.other-token",
    "partner-starts",
    "serve-start.token",
    sending(
      ({ method, url }, module) =>
        module === "commands" && method === "POST" && url.includes("START_SESSION"),
      json(within("token", set({ party_id: "OTH" })))
    ),
    { versions: "2.2+" }
  ),
  rule(
    "tokens.no-delta",
    "token-sync",
    "delta.complete",
    parameters((all) => {
      if (all.has("date_from")) all.set("date_from", "2099-01-01T00:00:00Z")
    }),
    { follows: "delta.answered" }
  ),
  rule(
    "tokens.pushed-otherwise",
    "token-push",
    "read-changed.same",
    sending(isPushOf("tokens", "PUT"), json(set({ issuer: "Another" })))
  ),
  rule(
    "tokens.all-allowed",
    "authorize-token",
    "authorize-unknown.refused",
    instead(
      both(at("tokens", "POST"), (_, { below }) => below[1] === "authorize"),
      { http: 200, code: 1000, data: { allowed: "ALLOWED" } }
    ),
    {
      follows: "authorize.valid authorize.token authorize-invalid.refused"
    }
  ),
  rule(
    "preferences.no-profile",
    "charging-preferences",
    "preferences-set.received",
    sending(({ url }) => url.includes("charging_preferences"), json(without("profile_type"))),
    {
      follows: "preferences-set.complete"
    }
  ),
  rule("lists.one-page", "partner-reads", "lists-read.pages", {
    hears: (heard) => ({
      ...heard,
      headers: Object.fromEntries(Object.entries(heard.headers).filter(([name]) => name !== "link"))
    })
  })
]

/** Every one. */
export const journeyFaults: ReadonlyArray<JourneyFault> = [...ofCpos, ...ofEmsps]

/** The rule that finds a fault. */
export const ruleOf = ({ caughtBy, templateId }: JourneyFault) =>
  templateById(templateId)
    ?.stages.flatMap(({ expect }) => expect)
    .find(({ id }) => id === caughtBy)

/** Ids of the faults, by the checks of the catalogue whose rules find them. */
export const checksOfFaults: ReadonlyMap<string, ReadonlyArray<string>> = journeyFaults.reduce(
  (known, one) => {
    const checkId = ruleOf(one)?.checkId
    return checkId === undefined ? known : known.set(checkId, [...(known.get(checkId) ?? []), one.id])
  },
  new Map<string, ReadonlyArray<string>>()
)
