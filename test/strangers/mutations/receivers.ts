/** Faults of receivers: what is sent to them is refused, stored otherwise, or not at all. */
import type { Json } from "../partner/validity.ts"
import {
  admitting,
  answering,
  both,
  change,
  crashing,
  deep,
  hasNoToken,
  hasToken,
  header,
  instead,
  keeping,
  merging,
  noHeader,
  patchForgets,
  pretending,
  receiving,
  refusing,
  saying,
  taking,
  turning,
  without,
  writing
} from "./bends.ts"
import { fault, type Mutation, withAll } from "./Mutation.ts"

/** What is read back after it, or builds on it. */
const allOf = (prefix: string) => `${prefix}-1* TRANS-0* JRN-01*`
const absent = (said: { http: number; code?: number }) => said.http === 404 || said.code === 2000
const dropsFieldOn = (module: string, field: string) => keeping(module, without(field))

/** Rows of locations at an EMSP. */
export const locationReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["EMSP"] }, [
  fault("put-locations.refused", "LOC-101", refusing(both(receiving("locations", "PUT"), deep(3))), {
    follows: allOf("LOC")
  }),
  fault("put-locations.forgets-city", "LOC-102", dropsFieldOn("locations", "city"), {
    follows: "LOC-116 LOC-109 LOC-105"
  }),
  fault("put-locations.forgotten", "LOC-102", pretending(both(receiving("locations", "PUT"), deep(3))), {
    follows: allOf("LOC")
  }),
  fault("put-locations.part-lost", "LOC-103", pretending(both(receiving("locations", "PUT"), deep(5))), {
    follows: "LOC-107 LOC-108 LOC-112"
  }),
  fault(
    "patch-locations.evse-forgets",
    "LOC-104",
    keeping("locations", (json, { method }) =>
      method === "PATCH"
        ? change("evses", (all: ReadonlyArray<Json>) =>
            all.map(without("physical_reference", "floor_level"))
          )(json)
        : json
    ),
    { follows: "LOC-106 LOC-105 LOC-113 LOC-117" }
  ),
  fault(
    "patch-locations.name-forgets",
    "LOC-105",
    keeping("locations", (json, { before, method }) =>
      method === "PATCH" && json["name"] !== before?.["name"] ? without("evses")(json) : json
    ),
    { follows: "LOC-106 LOC-113 LOC-117" }
  ),
  fault(
    "patch-locations.connector-forgotten",
    "LOC-106",
    pretending(both(receiving("locations", "PATCH"), deep(5))),
    { follows: "LOC-108" }
  ),
  fault(
    "patch-locations.old-above-evse",
    "LOC-107",
    keeping("locations", (json, { before }) =>
      before === undefined ? json : { ...json, last_updated: before["last_updated"] }
    ),
    { follows: "LOC-108 LOC-105 LOC-109 LOC-102" }
  ),
  fault(
    "patch-locations.old-above-connector",
    "LOC-108",
    keeping("locations", (json, { before }) =>
      before === undefined
        ? json
        : change("evses", (all: ReadonlyArray<Json>) =>
            all.map((one) => {
              const old = (before["evses"] as ReadonlyArray<Json> | undefined)?.find(
                ({ uid }) => uid === one["uid"]
              )
              return old !== undefined && old["status"] === one["status"]
                ? { ...one, last_updated: old["last_updated"] }
                : one
            })
          )(json)
    ),
    { follows: "LOC-107 LOC-103" }
  ),
  fault("put-locations.merges", "LOC-109", merging("locations")),
  fault(
    "patch-locations.unknown-made",
    "LOC-110",
    answering(receiving("locations", "PATCH"), (said) => (absent(said) ? { http: 200, code: 1000 } : said)),
    { follows: "TRANS-051" }
  ),
  fault("put-locations.anything-taken", "LOC-111", taking(both(receiving("locations", "PUT"), deep(3))), {
    follows: "TRANS-019 TRANS-021 TRANS-049 TRANS-050"
  }),
  fault(
    "put-locations.bare-evse-crashes",
    "LOC-112",
    turning(both(receiving("locations", "PUT"), deep(4)), { code: 2001 }, { http: 500 }),
    { follows: "TRANS-018 TRANS-019" }
  ),
  fault(
    "patch-locations.removed-stays",
    "LOC-113",
    pretending(both(receiving("locations", "PATCH"), saying(/REMOVED/)))
  ),
  fault(
    "put-locations.parking-refused",
    "LOC-114",
    refusing(both(receiving("locations", "PUT"), saying(/parking_places/))),
    { follows: "LOC-116" }
  ),
  fault(
    "put-locations.texts-cut",
    "LOC-116",
    keeping(
      "locations",
      change("name", (name: string) => name.slice(0, 40))
    )
  ),
  fault(
    "patch-locations.nested-crashes",
    "LOC-117",
    crashing(both(receiving("locations", "PATCH"), saying(/"evses"/)))
  ),
  fault(
    "receivers.open",
    "CRED-049",
    admitting(both(writing("PUT", "POST", "PATCH", "DELETE"), hasNoToken)),
    { follows: "TRANS-001 TRANS-003 CRED-051" }
  ),
  fault("receivers.any-token", "CRED-051", admitting(both(writing("PUT", "POST", "GET"), hasToken)), {
    follows: "TRANS-002 TRANS-003 TRANS-006 CRED-049"
  })
])

/** Rows of sessions at an EMSP. */
export const sessionReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["EMSP"] }, [
  fault("put-sessions.refused", "SESS-101", refusing(receiving("sessions", "PUT")), {
    follows: allOf("SESS")
  }),
  fault("put-sessions.forgets-method", "SESS-102", dropsFieldOn("sessions", "auth_method"), {
    follows: "JRN-011"
  }),
  fault("patch-sessions.forgets-currency", "SESS-103", patchForgets("sessions", "currency"), {
    follows: "JRN-011"
  }),
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
  fault("patch-sessions.forgets-cost", "JRN-011", patchForgets("sessions", "total_cost"), {
    follows: "SESS-103 SESS-110"
  }),
  fault(
    "put-sessions.played-refused",
    "JRN-010",
    refusing(both(receiving("sessions", "PATCH"), saying(/kwh/))),
    { follows: "SESS-103 SESS-110 SESS-104 JRN-011" }
  )
])
let lastPatch = ""

/** Rows of CDRs at an EMSP. */
export const cdrReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["EMSP"] }, [
  fault("post-cdrs.refused", "CDR-101", refusing(receiving("cdrs", "POST")), { follows: allOf("CDR") }),
  fault("post-cdrs.no-location", "CDR-102", noHeader("Location", receiving("cdrs", "POST")), {
    follows: "CDR-103 CDR-105"
  }),
  fault(
    "post-cdrs.location-nowhere",
    "CDR-103",
    header("Location", receiving("cdrs", "POST"), (url) => `${url}-gone`),
    { follows: "CDR-102 CDR-105 CDR-106 CDR-109" }
  ),
  fault(
    "post-cdrs.rounds-energy",
    "CDR-103",
    keeping(
      "cdrs",
      change("total_energy", (kwh: number) => Math.round(kwh) + 1)
    )
  ),
  fault("post-cdrs.anything-taken", "CDR-104", taking(receiving("cdrs", "POST")), {
    follows: "CDR-106 TRANS-019 TRANS-021 CDR-105 CDR-102"
  }),
  fault(
    "post-cdrs.stored-twice",
    "CDR-105",
    () => {
      let count = 0
      return header("Location", receiving("cdrs", "POST"), (url) => {
        count += 1
        return `${url}?copy=${count}`
      })
    },
    { follows: "CDR-103 CDR-102" }
  ),
  fault(
    "post-cdrs.overwritten",
    "CDR-106",
    turning(both(receiving("cdrs", "POST"), deep(0)), { code: 2001 }, { http: 200, code: 1000 }),
    { follows: "CDR-104 TRANS-019 TRANS-021 CDR-102 CDR-109" }
  ),
  fault(
    "post-cdrs.credit-refused",
    "CDR-107",
    refusing(both(receiving("cdrs", "POST"), saying(/"credit":\s*true/)))
  ),
  fault("post-cdrs.reservation-refused", "CDR-108", refusing(both(receiving("cdrs", "POST"), saying(/#NA/)))),
  fault(
    "cdrs.can-be-deleted",
    "CDR-109",
    turning(receiving("cdrs", "PUT", "PATCH", "DELETE"), { http: 405 }, { http: 200, code: 1000 }),
    { follows: "TRANS-022" }
  ),
  fault(
    "post-cdrs.any-driver",
    "CDR-111",
    turning(receiving("cdrs", "POST"), { code: 2004 }, { code: 1000 }),
    { versions: "2.2.1,2.3.0" }
  ),
  fault(
    "post-cdrs.unknown-place-refused",
    "CDR-110",
    refusing(both(receiving("cdrs", "POST"), saying(/HOME/)))
  ),
  fault(
    "post-cdrs.session-required",
    "CDR-112",
    refusing(both(receiving("cdrs", "POST"), ({ body }) => !body.includes("session_id"))),
    { follows: "CDR-108 TRANS-0*" }
  )
])

/** Rows of tariffs at an EMSP. */
export const tariffReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["EMSP"] }, [
  fault("put-tariffs.refused", "TAR-101", refusing(receiving("tariffs", "PUT")), { follows: allOf("TAR") }),
  fault(
    "put-tariffs.sorted",
    "TAR-102",
    keeping(
      "tariffs",
      change("elements", (all: ReadonlyArray<Json>) =>
        all.map(change("price_components", (some: ReadonlyArray<Json>) => some.toReversed())).toReversed()
      )
    ),
    { follows: "TAR-108 TAR-106" }
  ),
  fault("put-tariffs.merges", "TAR-103", merging("tariffs")),
  fault("tariffs.never-deleted", "TAR-104", pretending(receiving("tariffs", "DELETE")), {
    follows: "TAR-105"
  }),
  fault(
    "tariffs.unknown-deleted",
    "TAR-105",
    answering(receiving("tariffs", "DELETE"), (said) => (absent(said) ? { http: 200, code: 1000 } : said)),
    { follows: "TRANS-022" }
  ),
  fault("patch-tariffs.forgets", "TAR-106", patchForgets("tariffs", "currency")),
  fault("put-tariffs.anything-taken", "TAR-107", taking(receiving("tariffs", "PUT")), {
    follows: "TRANS-019 TRANS-021 TRANS-049 TRANS-050"
  }),
  fault(
    "put-tariffs.restrictions-lost",
    "TAR-108",
    keeping(
      "tariffs",
      change("elements", (all: ReadonlyArray<Json>) => all.map(without("restrictions")))
    ),
    { follows: "TAR-102 TAR-106" }
  ),
  fault(
    "put-tariffs.rounds-prices",
    "TAR-109",
    keeping(
      "tariffs",
      change("elements", (all: ReadonlyArray<Json>) =>
        all.map(
          change("price_components", (some: ReadonlyArray<Json>) =>
            some.map(change("price", (price: number) => Math.round(price * 100) / 100))
          )
        )
      )
    ),
    { follows: "TAR-102 TAR-108 TAR-106" }
  )
])

/** Rows of tokens at a CPO. */
export const tokenReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["CPO"] }, [
  fault("put-tokens.refused", "TOK-101", refusing(receiving("tokens", "PUT")), { follows: allOf("TOK") }),
  fault("put-tokens.forgets-issuer", "TOK-102", dropsFieldOn("tokens", "issuer"), {
    follows: "TOK-105 TOK-106 TOK-109 TOK-110"
  }),
  fault("patch-tokens.forgets-issuer", "TOK-103", patchForgets("tokens", "issuer")),
  fault("put-tokens.merges", "TOK-104", merging("tokens")),
  fault(
    "put-tokens.type-ignored",
    "TOK-105",
    {
      arrives: (asked) => {
        const url = new URL(asked.url)
        if (url.pathname.includes("token") && asked.method !== "POST") url.searchParams.delete("type")
        return {
          ...asked,
          url,
          body: asked.method === "PUT" ? asked.body.replace('"APP_USER"', '"RFID"') : asked.body
        }
      }
    },
    { follows: "TOK-106 TOK-111 TRANS-037", needs: { paths: "version first" } }
  ),
  fault(
    "get-tokens.default-type",
    "TOK-106",
    instead(
      (asked, where) => receiving("tokens", "GET")(asked, where) && !asked.url.searchParams.has("type"),
      { http: 404, code: 2000 }
    ),
    { follows: "TOK-102 TOK-103 TOK-104 TOK-105 TOK-109 TOK-110 TRANS-0*" }
  ),
  fault(
    "patch-tokens.unknown-made",
    "TOK-107",
    answering(receiving("tokens", "PATCH"), (said) => (absent(said) ? { http: 200, code: 1000 } : said)),
    { follows: "TRANS-051" }
  ),
  fault("put-tokens.anything-taken", "TOK-108", taking(receiving("tokens", "PUT")), {
    follows: "TRANS-019 TRANS-021 TRANS-049 TRANS-050"
  }),
  fault(
    "get-tokens.by-case",
    "TOK-109",
    instead(
      (asked, where) =>
        receiving("tokens", "GET")(asked, where) && /^TST[A-Z0-9-]+$/.test(where.below[2] ?? ""),
      { http: 404 }
    )
  ),
  fault(
    "put-tokens.texts-cut",
    "TOK-110",
    keeping(
      "tokens",
      change("visual_number", (text: string) => text.slice(0, 40))
    )
  ),
  fault("put-tokens.emaid-refused", "TOK-111", refusing(both(receiving("tokens", "PUT"), saying(/"EMAID"/)))),
  fault(
    "put-tokens.unlisted-type-refused",
    "TRANS-037",
    refusing(
      both(
        receiving("tokens", "PUT"),
        ({ body }) => !/"type":\s*"(RFID|OTHER|APP_USER|AD_HOC_USER|EMAID)"/.test(body)
      )
    ),
    { follows: "TRANS-021 TRANS-020" }
  ),
  fault(
    "tokens-receiver.open",
    "CRED-049",
    admitting(both(writing("PUT", "POST", "PATCH", "DELETE"), hasNoToken)),
    { follows: "TRANS-001 TRANS-003 CRED-051" }
  ),
  fault("tokens-receiver.any-token", "CRED-051", admitting(both(writing("PUT", "POST", "GET"), hasToken)), {
    follows: "TRANS-002 TRANS-003 TRANS-006 CRED-049"
  })
])

/** Rows of hub client infos. */
export const clientInfoFaults: ReadonlyArray<Mutation> = [
  fault(
    "client-info.refused",
    "HUB-003",
    refusing((asked, { module }) => module === "hubclientinfo" && asked.method === "PUT"),
    {
      needs: { moreModules: true }
    }
  ),
  fault(
    "client-info.routed",
    "TRANS-031",
    answering(
      (_, { module }) => module === "versions",
      (said) => ({ ...said, headers: { ...said.headers, "OCPI-to-party-id": "ST0" } })
    )
  )
]
