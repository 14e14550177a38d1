/** Faults in locations, and how they are read by their ids (mod_locations). */
import type { Json } from "../../partner/objects/validity.ts"
import type { At } from "../bends.ts"
import {
  answering,
  copied,
  data,
  instead,
  inTurn,
  second,
  set,
  within,
  withinAll,
  without
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const location = (fields: Json) => second("Location", set(fields))
const evse = (fields: Json) => second("Location", within("evses", set(fields)))
const connector = (fields: Json) => second("Location", within("evses.connectors", set(fields)))
/** The same by the type of each field. */
const typed = "TRANS-045 TRANS-046 TRANS-047 TRANS-048"

/** Rows of what is listed. */
export const locationFaults: ReadonlyArray<Mutation> = withAll(
  { needs: { changesEach: 0, objects: 6 }, follows: "LOC-042 LOC-043" },
  [
    fault("locations.no-address", "LOC-002", second("Location", without("address")), { follows: typed }),
    fault("locations.type-and-publish", "LOC-002", second("Location", without("coordinates")), {
      follows: `${typed} LOC-007`
    }),
    fault("locations.unknown-status", "LOC-003", evse({ status: "FREE" }), { follows: "LOC-002" }),
    fault("locations.unknown-format", "LOC-003", connector({ format: "PLUG" }), { follows: "LOC-002" }),
    fault("locations.unknown-facility", "LOC-004", location({ facilities: ["CASINO"] }), {
      follows: "LOC-002"
    }),
    fault("locations.own-capability", "LOC-005", evse({ capabilities: ["RFID_READER", "OWN_WORD"] })),
    fault("locations.country-of-two-letters", "LOC-006", location({ country: "DE" }), { follows: "LOC-008" }),
    fault(
      "locations.coarse-coordinates",
      "LOC-007",
      location({ coordinates: { latitude: "50.9", longitude: "6.9" } }),
      {
        follows: "LOC-002"
      }
    ),
    fault(
      "locations.at-zero",
      "LOC-008",
      location({ coordinates: { latitude: "0.000000", longitude: "0.000000" } })
    ),
    fault("locations.zone-as-offset", "LOC-009", location({ time_zone: "UTC+1" })),
    fault("locations.id-twice", "LOC-010", copied("Location", "id", "country_code", "party_id"), {
      follows: "PAGE-009 PAGE-011 PAGE-012 LOC-034 LOC-035 LOC-036 LOC-037 LOC-047 SESS-010 CDR-024"
    }),
    fault(
      "locations.uid-twice",
      "LOC-011",
      second("Location", (one) => ({
        ...one,
        evses: twice(one["evses"] as ReadonlyArray<Json>, (last, first) => ({ ...last, uid: first["uid"] }))
      })),
      {
        follows: "LOC-035 LOC-036 LOC-047"
      }
    ),
    fault(
      "locations.connector-twice",
      "LOC-012",
      second(
        "Location",
        within("evses", (one) => ({
          ...one,
          connectors: twice(one["connectors"] as ReadonlyArray<Json>, (last, first) => ({
            ...last,
            id: first["id"]
          }))
        }))
      )
    ),
    fault("locations.no-connectors", "LOC-013", evse({ connectors: [] }), { follows: `${typed} LOC-002` }),
    fault("locations.stale-parent", "LOC-014", connector({ last_updated: "2026-06-01T00:00:00Z" })),
    // The list is filtered by when the location was really changed.
    fault("locations.from-the-future", "LOC-015", location({ last_updated: "2027-01-01T00:00:00Z" }), {
      follows: "PAGE-020 PAGE-022"
    }),
    fault("locations.strange-evse-id", "LOC-016", evse({ evse_id: "EVSE 1" })),
    fault("locations.no-evse-id", "LOC-017", second("Location", within("evses", without("evse_id")))),
    fault(
      "locations.all-removed",
      "LOC-018",
      second("Location", withinAll("evses", set({ status: "REMOVED" })))
    ),
    fault("locations.unknown-tariff", "LOC-019", connector({ tariff_ids: ["NOWHERE"] }), {
      versions: "2.2+"
    }),
    fault("locations.unknown-tariff-old", "LOC-019", connector({ tariff_id: "NOWHERE" }), {
      versions: "2.1.1"
    }),
    fault(
      "locations.preferences-without-tariff",
      "LOC-021",
      second(
        "Location",
        within(
          "evses",
          inTurn(
            set({ capabilities: ["CHARGING_PREFERENCES_CAPABLE"] }),
            withinAll("connectors", without("tariff_ids"))
          )
        )
      )
    ),
    fault(
      "locations.hidden-from-nobody",
      "LOC-022",
      location({ publish: true, publish_allowed_to: [{ group_id: "G1" }] })
    ),
    fault(
      "locations.uid-of-no-type",
      "LOC-023",
      location({ publish: false, publish_allowed_to: [{ uid: "A1" }] })
    ),
    fault("locations.never-open", "LOC-024", location({ opening_times: { twentyfourseven: false } })),
    fault(
      "locations.open-twice",
      "LOC-025",
      location({
        opening_times: {
          twentyfourseven: true,
          regular_hours: [{ weekday: 1, period_begin: "08:00", period_end: "18:00" }]
        }
      })
    ),
    fault(
      "locations.closes-before-opening",
      "LOC-026",
      location({
        opening_times: {
          twentyfourseven: false,
          regular_hours: [{ weekday: 1, period_begin: "18:00", period_end: "08:00" }]
        }
      }),
      {
        follows: "LOC-025"
      }
    ),
    fault(
      "locations.day-eight",
      "LOC-026",
      location({
        opening_times: {
          twentyfourseven: false,
          regular_hours: [{ weekday: 8, period_begin: "08:00", period_end: "18:00" }]
        }
      }),
      {
        follows: "LOC-025 LOC-002"
      }
    ),
    fault(
      "locations.exception-backwards",
      "LOC-027",
      location({
        opening_times: {
          twentyfourseven: true,
          exceptional_closings: [{ period_begin: "2026-07-02T00:00:00Z", period_end: "2026-07-01T00:00:00Z" }]
        }
      })
    ),
    fault(
      "locations.half-the-energy",
      "LOC-028",
      location({
        energy_mix: { is_green_energy: true, energy_sources: [{ source: "WIND", percentage: 50 }] }
      })
    ),
    fault(
      "locations.old-impact",
      "LOC-029",
      location({
        energy_mix: { is_green_energy: true, environ_impact: [{ source: "CARBON_DIOXIDE", amount: 1 }] }
      }),
      {
        versions: "2.2+",
        follows: `LOC-002 ${typed}`
      }
    ),
    fault(
      "locations.new-impact",
      "LOC-029",
      location({
        energy_mix: { is_green_energy: true, environ_impact: [{ category: "CARBON_DIOXIDE", amount: 1 }] }
      }),
      {
        versions: "2.1.1",
        follows: `LOC-002 ${typed}`
      }
    ),
    fault("locations.no-voltage", "LOC-030", connector({ max_voltage: 0 }), { versions: "2.2+" }),
    fault("locations.no-voltage-old", "LOC-030", connector({ voltage: 0 }), { versions: "2.1.1" }),
    fault(
      "locations.direct-current-by-type-2",
      "LOC-031",
      connector({ standard: "IEC_62196_T2", power_type: "DC" }),
      {
        follows: "CDR-024 LOC-030"
      }
    ),
    fault("locations.markup", "LOC-032", location({ directions: [{ language: "en", text: "<b>left</b>" }] })),
    fault(
      "locations.schedule-of-the-past",
      "LOC-038",
      evse({
        status_schedule: [
          { period_begin: "2020-01-01T00:00:00Z", period_end: "2020-01-02T00:00:00Z", status: "BLOCKED" }
        ]
      })
    ),
    fault(
      "locations.parking-twice",
      "LOC-039",
      location({ parking_places: [place("P1"), place("P1"), place("P2"), place("P3")] })
    ),
    fault("locations.parking-elsewhere", "LOC-040", evse({ parking: [{ parking_id: "P99" }] })),
    fault(
      "locations.parking-of-no-size",
      "LOC-041",
      location({
        parking_places: ["P1", "P2", "P3"].map((id) => ({ ...place(id), vehicle_types: ["TRUCK"] }))
      })
    )
  ]
)

function place(id: string): Json {
  return { id, vehicle_types: ["PERSONAL_VEHICLE"], restricted_to_type: false, reservation_required: false }
}

/** The list with one more at its end, made of its last one and its first one. */
function twice(all: ReadonlyArray<Json>, edit: (last: Json, first: Json) => Json): ReadonlyArray<Json> {
  return all.length === 0 ? all : [...all, edit(all.at(-1)!, all[0]!)]
}

const byId =
  (depth: number): At =>
  ({ method }, { below, isSender, module }) =>
    module === "locations" && isSender && method === "GET" && below.length === depth

/** Rows of what is read by its id. */
export const locationReadFaults: ReadonlyArray<Mutation> = withAll(
  { needs: { changesEach: 0, objects: 6 } },
  [
    fault("locations.other-than-listed", "LOC-034", data(byId(1), set({ address: "Elsewhere 1" })), {
      follows: "LOC-049"
    }),
    fault("locations.by-id-crashes", "LOC-034", instead(byId(1), { http: 500 }), {
      follows: "TRANS-023 TRANS-039 LOC-037"
    }),
    fault("locations.evse-other-than-listed", "LOC-035", data(byId(2), set({ physical_reference: "Z9" }))),
    fault(
      "locations.location-for-evse",
      "LOC-035",
      data(byId(2), (one: Json) => [one])
    ),
    fault(
      "locations.connector-other-than-listed",
      "LOC-036",
      data(byId(3), set({ format: "CABLE", power_type: "DC" }))
    ),
    fault(
      "locations.unknown-evse-found",
      "LOC-037",
      answering(byId(2), (said) =>
        said.http === 404 || said.code === 2000 ? { http: 200, code: 1000, data: {} } : said
      ),
      {
        follows: "TRANS-023"
      }
    )
  ]
)
