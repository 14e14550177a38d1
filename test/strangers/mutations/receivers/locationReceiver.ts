/** Locations at an EMSP: what its receiver refuses, stores otherwise, or not at all (mod_locations). */
import type { Json } from "../../partner/objects/validity.ts"
import {
  admitting,
  answering,
  both,
  change,
  crashing,
  deep,
  hasNoToken,
  hasToken,
  instead,
  keeping,
  merging,
  pretending,
  receiving,
  refusing,
  saying,
  taking,
  turning,
  without,
  writing
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { absent, dropsFieldOn } from "./receiving.ts"

const evsesOf = (location: Json | undefined) => (location?.["evses"] ?? []) as ReadonlyArray<Json>
const statusesOf = (location: Json | undefined) => evsesOf(location).map(({ status }) => status)

/** Rows of locations at an EMSP. */
export const locationReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["EMSP"] }, [
  fault("put-locations.refused", "LOC-101", refusing(both(receiving("locations", "PUT"), deep(3))), {
    follows: "TRANS-020"
  }),
  fault("put-locations.forgets-city", "LOC-102", dropsFieldOn("locations", "city"), {
    follows: "LOC-116 LOC-109 LOC-105"
  }),
  fault("put-locations.forgotten", "LOC-102", pretending(both(receiving("locations", "PUT"), deep(3))), {
    // It takes what is not valid, too.
    follows: "LOC-111 TRANS-019 TRANS-020 TRANS-021 TRANS-049 TRANS-050"
  }),
  fault("put-locations.part-lost", "LOC-103", pretending(both(receiving("locations", "PUT"), deep(5))), {
    follows: "LOC-107 LOC-108 LOC-112"
  }),
  fault(
    "put-locations.connector-replaces",
    "LOC-103",
    keeping(
      "locations",
      change("evses", (all: ReadonlyArray<Json>) =>
        all.map(change("connectors", (plugs: ReadonlyArray<Json>) => plugs.slice(-1)))
      ),
      "PUT"
    )
  ),
  fault(
    "put-locations.evse-replaces",
    "LOC-103",
    keeping(
      "locations",
      change("evses", (all: ReadonlyArray<Json>) => (all.length > 2 ? all.slice(-1) : all)),
      "PUT"
    )
  ),
  // A field of each location is lost: what becomes of its EVSEs is judged all the same.
  fault(
    "put-locations.evse-replaces-without-city",
    "LOC-103",
    keeping("locations", (json, { method }) => {
      const evses = evsesOf(json)
      const kept = without("city")(json)
      return method === "PUT" && evses.length > 2 ? { ...kept, evses: evses.slice(-1) } : kept
    }),
    { follows: "LOC-102 LOC-116 LOC-109 LOC-105" }
  ),
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
    "patch-locations.every-evse",
    "LOC-104",
    keeping("locations", (json, { before, method }) => {
      const [changed] = statusesOf(json).filter((status, index) => status !== statusesOf(before)[index])
      return method !== "PATCH" || changed === undefined || changed === "REMOVED"
        ? json
        : change("evses", (all: ReadonlyArray<Json>) => all.map((one) => ({ ...one, status: changed })))(json)
    }),
    { follows: "LOC-113 LOC-105" }
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
    { follows: "LOC-107 LOC-103 LOC-109" }
  ),
  fault("put-locations.merges", "LOC-109", merging("locations")),
  fault(
    "put-locations.evse-merges",
    "LOC-109",
    keeping(
      "locations",
      (json, { before }) =>
        change("evses", (all: ReadonlyArray<Json>) =>
          all.map((one) => ({ ...evsesOf(before).find(({ uid }) => uid === one["uid"]), ...one }))
        )(json),
      "PUT"
    )
  ),
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
    "patch-locations.removed-takes-all",
    "LOC-113",
    keeping("locations", (json, { method }) =>
      method === "PATCH" && statusesOf(json).includes("REMOVED") ? { ...json, evses: [] } : json
    )
  ),
  fault(
    "put-locations.parking-refused",
    "LOC-114",
    refusing(both(receiving("locations", "PUT"), saying(/parking_places/))),
    { follows: "LOC-116" }
  ),
  fault(
    "get-locations.by-case",
    "LOC-118",
    instead(
      both(receiving("locations", "GET"), ({ url }) => /-MIXED\b/.test(url.pathname)),
      { http: 404 }
    )
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
  fault("receivers.open", "CRED-049", admitting(both(writing("GET"), hasNoToken)), {
    follows: "TRANS-001 TRANS-003 CRED-051"
  }),
  fault("receivers.any-token", "CRED-051", admitting(both(writing("PUT", "POST"), hasToken)), {
    follows: "TRANS-002 TRANS-003 TRANS-006 CRED-049"
  }),
  fault("patch-locations.every-refused", "LOC-104", refusing(receiving("locations", "PATCH"))),
  fault("patch-locations.nothing-done", "LOC-104", pretending(receiving("locations", "PATCH")))
])
