/** Sessions at an EMSP (mod_sessions). */
import type { Json } from "../../partner/objects/validity.ts"
import {
  answering,
  both,
  change,
  deep,
  instead,
  keeping,
  merging,
  patchForgets,
  pretending,
  receiving,
  refusing,
  saying,
  storing,
  taking,
  turning,
  without
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { absent, dropsFieldOn } from "./receiving.ts"

let lastPatch = ""

/** Rows of sessions at an EMSP. */
export const sessionReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["EMSP"] }, [
  fault("put-sessions.refused", "SESS-101", refusing(receiving("sessions", "PUT")), {
    follows: "TRANS-020"
  }),
  fault("put-sessions.forgets-method", "SESS-102", dropsFieldOn("sessions", "auth_method"), {
    follows: "JRN-011"
  }),
  fault("patch-sessions.forgets-currency", "SESS-103", patchForgets("sessions", "currency"), {
    follows: "JRN-011"
  }),
  fault(
    "patch-sessions.replaces-session",
    "SESS-103",
    keeping(
      "sessions",
      (json, { before = {} }) =>
        Object.fromEntries(
          Object.entries(json).flatMap(([field, value]) => {
            const kept = before[field]
            if (JSON.stringify(value) === JSON.stringify(kept)) return []
            return [[field, Array.isArray(kept) && Array.isArray(value) ? value.slice(kept.length) : value]]
          })
        ),
      "PATCH"
    ),
    { versions: "2.2+" }
  ),
  fault(
    "patch-sessions.replaces-periods",
    "SESS-104",
    keeping(
      "sessions",
      (json, { before }) =>
        Array.isArray(json["charging_periods"])
          ? change("charging_periods", (all: ReadonlyArray<Json>) =>
              all.slice(((before?.["charging_periods"] ?? []) as ReadonlyArray<Json>).length)
            )(json)
          : json,
      "PATCH"
    ),
    { follows: "SESS-103 SESS-105 SESS-110 JRN-011" }
  ),
  fault(
    "patch-sessions.empty-list-empties",
    "SESS-105",
    {
      keeps: (json, { method, module }) =>
        module === "sessions" && method === "PATCH" && lastPatch === "[]"
          ? { ...json, charging_periods: [] }
          : json,
      reads: (asked, where) => {
        if (where.module === "sessions" && asked.method === "PATCH")
          lastPatch = /"charging_periods":\s*\[\]/.test(asked.body) ? "[]" : ""
        return asked
      }
    },
    { follows: "JRN-011" }
  ),
  fault("put-sessions.merges", "SESS-106", merging("sessions")),
  fault(
    "patch-sessions.periods-below",
    "SESS-107",
    instead(both(receiving("sessions", "PATCH"), deep(4)), { http: 200, code: 1000 })
  ),
  fault(
    "patch-sessions.unknown-made",
    "SESS-108",
    answering(receiving("sessions", "PATCH"), (said) => (absent(said) ? { http: 200, code: 1000 } : said)),
    { follows: "SESS-107 TRANS-051 TRANS-052" }
  ),
  fault("put-sessions.anything-taken", "SESS-109", taking(receiving("sessions", "PUT")), {
    follows: "TRANS-019 TRANS-021 TRANS-049 TRANS-050"
  }),
  fault("put-sessions.refused-and-stored", "SESS-109", storing(receiving("sessions", "PUT")), {
    follows: "TRANS-019 TRANS-020 TRANS-021 TRANS-049 TRANS-050"
  }),
  fault(
    "patch-sessions.stays-active",
    "SESS-110",
    pretending(both(receiving("sessions", "PATCH"), saying(/COMPLETED/))),
    { follows: "JRN-011" }
  ),
  fault(
    "put-sessions.reservation-refused",
    "SESS-112",
    refusing(both(receiving("sessions", "PUT"), saying(/"RESERVATION"/)))
  ),
  fault(
    "put-sessions.unknown-place-refused",
    "SESS-113",
    refusing(both(receiving("sessions", "PUT"), saying(/HOME/)))
  ),
  fault(
    "put-sessions.any-driver",
    "SESS-114",
    turning(receiving("sessions", "PUT"), { code: 2004 }, { code: 1000 }),
    { versions: "2.2.1,2.3.0" }
  ),
  fault(
    "get-sessions.by-case",
    "SESS-115",
    instead(
      both(receiving("sessions", "GET"), ({ url }) => /-MIXED\b/.test(url.pathname)),
      { http: 404 }
    )
  ),
  fault(
    "patch-sessions.forgets-energy-at-end",
    "JRN-011",
    keeping("sessions", (one) => (one["status"] === "COMPLETED" ? without("kwh")(one) : one), "PATCH"),
    { follows: "SESS-110" }
  ),
  fault(
    "put-sessions.played-refused",
    "SESS-103",
    refusing(both(receiving("sessions", "PATCH"), saying(/kwh/)))
  ),
  fault("patch-sessions.every-refused", "SESS-103", refusing(receiving("sessions", "PATCH"))),
  fault("patch-sessions.nothing-done", "SESS-103", pretending(receiving("sessions", "PATCH")))
])
