/** Faults that only the sessions and CDRs of commanded charges have (mod_sessions, mod_cdrs). */
import type { Json } from "../../partner/objects/validity.ts"
import { change, set, those, within } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { isOurs } from "./commanding.ts"

const session = (edit: (one: Json) => Json) => those("Session", isOurs, edit)
const cdr = (edit: (one: Json) => Json) => those("CDR", isOurs, edit)
const long = "2020-01-01T00:00:00Z"
const withCurrent = (dimensions: ReadonlyArray<Json>) => [...dimensions, { type: "CURRENT", volume: 16 }]

/** Rows of charges that we command: what was listed before them has no fault. */
export const chargedFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["CPO"], needs: { changesEach: 0, objects: 6, optionals: "all" } },
  [
    fault(
      "charged.session-period-before-start",
      "SESS-008",
      session(within("charging_periods", set({ start_date_time: long })))
    ),
    fault("charged.session-elsewhere", "SESS-010", session(set({ location_id: "NOWHERE" })), {
      versions: "2.2+"
    }),
    fault(
      "charged.cdr-period-before-start",
      "CDR-006",
      cdr(within("charging_periods", set({ start_date_time: long }))),
      {
        follows: "CDR-007 CDR-010 CDR-013"
      }
    ),
    fault(
      "charged.cdr-time-in-seconds",
      "CDR-009",
      cdr(change("total_time", (hours: number) => hours * 3600 + 60)),
      {
        follows: "CDR-010"
      }
    ),
    fault(
      "charged.cdr-dimension-of-sessions",
      "CDR-017",
      cdr(within("charging_periods", change("dimensions", withCurrent)))
    ),
    fault(
      "charged.cdr-other-plug",
      "CDR-024",
      cdr(within("cdr_location", set({ connector_power_type: "DC" })))
    )
  ]
)
