/** Faults in sessions that are listed (mod_sessions). */
import type { Json } from "../../partner/objects/validity.ts"
import {
  at,
  both,
  change,
  copied,
  deep,
  every,
  instead,
  inTurn,
  second,
  set,
  taking,
  within,
  without
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const session = (fields: Json) => second("Session", set(fields))
const typed = "TRANS-045 TRANS-046 TRANS-047 TRANS-048"
const place = (fields: Json) => second("Session", within("location", set(fields)))
const period = (fields: Json) => second("Session", within("charging_periods", set(fields)))
const total = (price: unknown) => second("Session", set({ total_cost: price }))
const turned = (one: Json): Json =>
  "start_date_time" in one
    ? { ...one, start_date_time: one["end_date_time"], end_date_time: one["start_date_time"] }
    : { ...one, start_datetime: one["end_datetime"], end_datetime: one["start_datetime"] }

/** Rows of what is listed. */
export const sessionFaults: ReadonlyArray<Mutation> = withAll({ needs: { changesEach: 0, objects: 6 } }, [
  fault("sessions.no-start", "SESS-002", second("Session", without("start_date_time", "start_datetime")), {
    follows: `${typed} CDR-021`
  }),
  fault("sessions.unknown-status", "SESS-004", session({ status: "FINISHED" }), {
    follows: "SESS-002 CDR-021"
  }),
  // In the list and in pushes, of charges and of reservations.
  fault(
    "sessions.status-in-lower-case",
    "SESS-004",
    every(
      "Session",
      change("status", (status: string) => status.toLowerCase())
    )
  ),
  fault("sessions.ends-before-start", "SESS-005", second("Session", turned), {
    follows: "SESS-006 SESS-008 CDR-021"
  }),
  fault(
    "sessions.completed-without-end",
    "SESS-006",
    second("Session", without("end_date_time", "end_datetime")),
    {
      follows: "CDR-021"
    }
  ),
  fault(
    "sessions.watt-hours",
    "SESS-007",
    second(
      "Session",
      change("kwh", (kwh: number) => kwh * 1000)
    ),
    {
      follows: "CDR-021"
    }
  ),
  fault("sessions.period-before-start", "SESS-008", period({ start_date_time: "2020-01-01T00:00:00Z" })),
  fault("sessions.unknown-dimension", "SESS-009", period({ dimensions: [{ type: "KWH", volume: 1 }] }), {
    follows: "SESS-002"
  }),
  fault("sessions.no-dimension", "SESS-009", period({ dimensions: [] }), { follows: `${typed} SESS-002` }),
  fault("sessions.unknown-location", "SESS-010", session({ location_id: "NOWHERE" }), { follows: "CDR-021" }),
  fault("sessions.place-left-open", "SESS-011", session({ evse_uid: "#NA", connector_id: "#NA" }), {
    follows: "SESS-010 CDR-021"
  }),
  fault(
    "sessions.many-evses",
    "SESS-012",
    second(
      "Session",
      within(
        "location",
        change("evses", (all: ReadonlyArray<Json>) => [...all, { ...all[0], uid: "MORE" }])
      )
    )
  ),
  fault("sessions.evse-without-connector", "SESS-012", place({ evses: [] })),
  fault(
    "sessions.foreign-token",
    "SESS-013",
    second(
      "Session",
      within("cdr_token", set({ country_code: "NO", party_id: "XYZ", contract_id: "NO-XYZ-C12345678" }))
    ),
    {
      versions: "2.2.1,2.3.0",
      follows: "CDR-021"
    }
  ),
  fault("sessions.unknown-currency", "SESS-014", session({ currency: "EURO" }), {
    follows: `${typed} SESS-002 CDR-015`
  }),
  fault("sessions.cost-as-text", "SESS-014", total("1.00"), { follows: `${typed} SESS-002` }),
  fault("sessions.cheaper-with-tax", "SESS-015", total({ excl_vat: 10, incl_vat: 8 })),
  fault(
    "sessions.two-at-one-evse",
    "SESS-016",
    {
      shows: (json, name, index) =>
        name === "Session" && index < 2
          ? inTurn(without("end_date_time", "end_datetime"), set({ status: "ACTIVE" }))(json)
          : json
    },
    { follows: "SESS-006 CDR-021 CDR-029" }
  ),
  fault("sessions.id-twice", "SESS-018", copied("Session", "id", "country_code", "party_id"), {
    follows: "PAGE-009 PAGE-011 PAGE-012 CDR-021 CDR-029 SESS-017"
  })
])

const preferences = both(at("sessions", "PUT"), deep(2))
const capable = (json: Json, name: string, index: number): Json =>
  name === "Location" && index >= 0
    ? change("evses", (all: ReadonlyArray<Json>) =>
        all.map((one) => ({
          ...one,
          capabilities: [
            ...((one["capabilities"] ?? []) as ReadonlyArray<string>),
            "CHARGING_PREFERENCES_CAPABLE"
          ]
        }))
      )(json)
    : json
const wish = (data: unknown) => ({
  shows: capable,
  instead: instead(preferences, { http: 200, code: 1000, data }).instead!
})

/** Rows of charging preferences. */
export const preferenceFaults: ReadonlyArray<Mutation> = withAll(
  { needs: { changesEach: 0, objects: 6, pushes: "put" } },
  [
    fault("preferences.answer-as-object", "SESS-019", wish({ result: "ACCEPTED" }), {
      follows: "LOC-021 SESS-023 TRANS-019"
    }),
    fault("preferences.accepts-anything", "SESS-023", wish("ACCEPTED"), { follows: "LOC-021" }),
    // A tariff without a type is for every profile.
    fault(
      "preferences.any-profile",
      "SESS-020",
      {
        ...wish("ACCEPTED"),
        shows: (json, name, index) =>
          name === "Tariff" ? { ...json, type: "REGULAR" } : capable(json, name, index)
      },
      { follows: "LOC-021 SESS-023" }
    ),
    fault(
      "preferences.any-evse",
      "SESS-021",
      instead(preferences, { http: 200, code: 1000, data: "ACCEPTED" }),
      {
        follows: "SESS-022"
      }
    ),
    fault(
      "preferences.any-session",
      "SESS-022",
      instead(preferences, { http: 200, code: 1000, data: "ACCEPTED" }),
      {
        follows: "SESS-021"
      }
    ),
    fault(
      "preferences.nothing-wished",
      "SESS-023",
      { shows: capable, ...taking(preferences) },
      { follows: "LOC-021 SESS-019 SESS-020" }
    )
  ]
)
