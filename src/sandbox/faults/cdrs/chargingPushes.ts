/** Faults in the sessions, CDRs and EVSE statuses that a CPO pushes during a charge. */

import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import { field, inside, told, without } from "../edits.ts"
import { allVersions, cpo, type Fault, withRoles } from "../Fault.ts"
import { type EditPush, hidden, recent } from "../pushes.ts"

const base = { module: "sessions", versions: allVersions, roles: cpo, strength: "must" } as const
const ofCdrs = { ...base, module: "cdrs" } as const

/** Changes the body of the module's pushes by this method. */
const when =
  (module: string, method: string, edit: (body: JsonObject) => JsonObject): EditPush =>
  (push) =>
    push.module === module && push.method === method && isObject(push.body)
      ? [{ ...push, body: edit(push.body) }]
      : [push]
const isFinal = (body: JsonObject) => body["status"] === "COMPLETED"
const unlessFinal = (change: JsonObject) => (body: JsonObject) =>
  isFinal(body) ? body : { ...body, ...change }
const more = (by: number) => (value: unknown) => Number(value) + by

/**
 * Faults in what a CPO pushes during a charge: statuses, energy, charging periods, references, and lists that disagree
 * with the pushes.
 */
export const chargingPushesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "sessions.incomplete-put",
    description: "Leaves the currency out of the sessions that it pushes",
    caughtBy: ["SESS-024"],
    behaviour: { push: when("sessions", "PUT", without("currency")) }
  },
  {
    ...base,
    id: "sessions.patch-as-text",
    description: "Writes kwh as a text in a PATCH of a session",
    caughtBy: ["SESS-025"],
    behaviour: { push: when("sessions", "PATCH", field("kwh", String)) }
  },
  {
    ...base,
    id: "sessions.status-back",
    description: "Changes an ACTIVE session back to PENDING",
    caughtBy: ["SESS-026"],
    behaviour: {
      push: (push) =>
        push.module === "sessions" && push.method === "PATCH" && isFinal(objectIn(push.body))
          ? [
              { ...push, body: { status: "PENDING", last_updated: objectIn(push.body)["last_updated"] } },
              later(push)
            ]
          : [push]
    }
  },
  {
    ...base,
    id: "sessions.changed-after-end",
    description: "Changes the energy of a session after it is COMPLETED",
    caughtBy: ["SESS-027"],
    behaviour: {
      push: (push) => {
        const body = objectIn(push.body)
        return push.module === "sessions" && push.method === "PATCH" && isFinal(body)
          ? [
              push,
              later({ ...push, body: { kwh: more(1)(body["kwh"]), last_updated: body["last_updated"] } })
            ]
          : [push]
      }
    }
  },
  {
    ...base,
    id: "sessions.start-kept",
    versions: withRoles,
    description: "Starts sessions as PENDING and keeps their start time when they become ACTIVE",
    caughtBy: ["SESS-028"],
    behaviour: {
      push: (push) =>
        when("sessions", "PUT", (body) =>
          body["status"] === "ACTIVE" ? { ...body, status: "PENDING" } : body
        )(push).flatMap(when("sessions", "PATCH", unlessFinal({ status: "ACTIVE" })))
    }
  },
  {
    ...base,
    id: "sessions.energy-shrinks",
    strength: "should",
    description: "PUTs sessions with more energy than they have later",
    caughtBy: ["SESS-029"],
    behaviour: { push: when("sessions", "PUT", field("kwh", more(100))) }
  },
  {
    ...base,
    id: "sessions.periods-again",
    versions: withRoles,
    strength: "should",
    description: "Sends charging periods a second time",
    caughtBy: ["SESS-030"],
    behaviour: {
      push: when(
        "sessions",
        "PATCH",
        field("charging_periods", (periods) => [...objectsIn(periods), ...objectsIn(periods)])
      )
    }
  },
  {
    ...base,
    id: "sessions.listed-otherwise",
    strength: "should",
    description: "Lists sessions with more energy than it pushed",
    caughtBy: ["SESS-031"],
    behaviour: { reply: recent("sessions", field("kwh", more(1))) }
  },
  {
    ...base,
    id: "sessions.own-reference",
    versions: withRoles,
    description: "Writes an authorization_reference of its own into sessions",
    caughtBy: ["SESS-032"],
    behaviour: {
      push: when(
        "sessions",
        "PUT",
        field("authorization_reference", () => "OWN-REFERENCE")
      ),
      reply: recent(
        "sessions",
        field("authorization_reference", () => "OWN-REFERENCE")
      )
    }
  },
  {
    ...ofCdrs,
    id: "cdrs.incomplete",
    description: "Leaves the currency out of the CDRs that it sends",
    caughtBy: ["CDR-034"],
    behaviour: { push: when("cdrs", "POST", without("currency")) }
  },
  {
    ...ofCdrs,
    id: "cdrs.other-contract",
    description: "Bills another contract than the session's",
    caughtBy: ["JRN-003"],
    behaviour: told("cdrs", (cdr) =>
      "auth_id" in cdr
        ? field("auth_id", another)(cdr)
        : inside("cdr_token", field("contract_id", another))(cdr)
    )
  },
  {
    ...base,
    id: "locations.never-free",
    module: "locations",
    strength: "should",
    description: "Does not push that an EVSE is AVAILABLE again",
    caughtBy: ["JRN-004"],
    behaviour: {
      push: (push) =>
        push.operation === "PATCH evse" && objectIn(push.body)["status"] === "AVAILABLE" ? [] : [push]
    }
  },
  {
    ...ofCdrs,
    id: "cdrs.more-energy",
    strength: "should",
    description: "Bills more energy than the session's",
    caughtBy: ["JRN-005"],
    behaviour: told("cdrs", field("total_energy", more(1)))
  },
  {
    ...base,
    id: "sessions.unused-with-energy",
    versions: withRoles,
    strength: "should",
    description: "Completes an unused reservation with energy",
    caughtBy: ["JRN-007"],
    behaviour: {
      // The PATCH that ends an unused reservation has no kwh; the one that ends a charge has.
      push: when("sessions", "PATCH", (body) =>
        isFinal(body) && !("kwh" in body) ? { ...body, kwh: 5 } : body
      ),
      reply: recent("sessions", (session) =>
        isFinal(session) && session["kwh"] === 0 ? { ...session, kwh: 5 } : session
      )
    }
  },
  {
    ...base,
    id: "sessions.not-listed",
    description: "Does not list the sessions that it pushed",
    caughtBy: ["JRN-009", "JRN-013"],
    behaviour: { reply: hidden("sessions") }
  }
]

/** The same push with a last_updated one second later. */
function later(push: Parameters<EditPush>[0]): Parameters<EditPush>[0] {
  const body = objectIn(push.body)
  const when = dateTimeMillis(body["last_updated"])
  return when === undefined ? push : { ...push, body: { ...body, last_updated: dateTimeOf(when + 1000) } }
}

/** Another contract id of the same EMSP. */
function another(contract: unknown): string {
  return `${String(contract).slice(0, -1)}X`
}
