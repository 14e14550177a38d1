/** Faults in the fields of a CPO's CDRs, and in how it sends them. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn } from "../../../findings/json.ts"
import { eitherField, field, inEach, inside, sameKey, told, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"
import { editPush } from "../pushes.ts"
import { monthBefore, plainNumber } from "../sessions/sessionData.ts"

const base = { module: "cdrs", versions: allVersions, roles: cpo, strength: "must" } as const
const detailed = versionsWhere(({ cdrDetails }) => cdrDetails)
const cdr = (edit: (cdr: JsonObject) => JsonObject) => told("cdrs", edit)
const times = (factor: number) => (amount: unknown) => Number(amount) * factor

/** Faults in the fields of a CPO's CDRs, their ids, and how often and with which values they are pushed. */
export const cdrsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "cdrs.no-periods",
    description: "Sends CDRs without charging periods",
    caughtBy: ["CDR-006"],
    behaviour: cdr(field("charging_periods", () => []))
  },
  {
    ...base,
    id: "cdrs.ends-before-start",
    description: "Gives CDRs an end a month before their start",
    caughtBy: ["CDR-005"],
    behaviour: cdr(eitherField(["stop_date_time", "end_date_time"], monthBefore))
  },
  {
    ...base,
    id: "cdrs.watt-hours",
    description: "Gives the total energy in Wh instead of kWh",
    caughtBy: ["CDR-008"],
    behaviour: cdr(field("total_energy", times(1000)))
  },
  {
    ...base,
    id: "cdrs.parked-for-longer",
    description: "Counts more hours of parking than total_time",
    caughtBy: ["CDR-011"],
    behaviour: cdr((object) => ({ ...object, total_parking_time: Number(object["total_time"]) + 1 }))
  },
  {
    ...base,
    id: "cdrs.unknown-currency",
    strength: "should",
    description: "Bills in a currency that does not exist",
    caughtBy: ["CDR-015"],
    behaviour: cdr(field("currency", () => "EUX"))
  },
  {
    ...base,
    id: "cdrs.dimension-of-sessions",
    versions: detailed,
    description: "Uses the dimension STATE_OF_CHARGE in CDRs, which only sessions may report",
    caughtBy: ["CDR-017"],
    behaviour: cdr(
      inEach(
        "charging_periods",
        field("dimensions", (dimensions) => [
          ...objectsIn(dimensions),
          { type: "STATE_OF_CHARGE", volume: 80 }
        ])
      )
    )
  },
  {
    ...base,
    id: "cdrs.no-session-id",
    versions: detailed,
    description: "Leaves session_id out of its CDRs",
    caughtBy: ["CDR-020"],
    behaviour: cdr(without("session_id"))
  },
  {
    ...base,
    id: "cdrs.cost-as-number",
    versions: versionsWhere(({ price }) => price !== "number"),
    description: "Writes the total cost as a plain number",
    caughtBy: ["CDR-032"],
    behaviour: cdr(field("total_cost", plainNumber))
  },
  {
    ...base,
    id: "cdrs.id-twice",
    description: "Lists two CDRs under one id",
    caughtBy: ["CDR-003"],
    behaviour: { reply: sameKey("cdrs", "id") }
  },
  {
    ...base,
    id: "cdrs.credit-of-nothing",
    versions: detailed,
    description: "Marks its CDRs as credit without credit_reference_id",
    caughtBy: ["CDR-018"],
    behaviour: cdr((object) => ({ ...object, credit: true }))
  },
  {
    ...base,
    id: "cdrs.empty-evse-id",
    versions: versionsWhere(({ place }) => place === "ids"),
    description: "Leaves the id of the EVSE in a CDR empty",
    caughtBy: ["CDR-026"],
    behaviour: cdr(
      inside(
        "cdr_location",
        field("evse_id", () => "")
      )
    )
  },
  {
    ...base,
    id: "cdrs.two-connectors",
    versions: versionsWhere(({ place }) => place === "location"),
    description: "Puts a second connector into a CDR's location",
    caughtBy: ["CDR-025"],
    behaviour: cdr(inside("location", inEach("evses", field("connectors", doubled))))
  },
  {
    ...base,
    id: "cdrs.sent-twice",
    strength: "should",
    description: "Sends each CDR twice",
    caughtBy: ["CDR-035"],
    behaviour: {
      push: (push) =>
        push.module === "cdrs" ? [push, { ...push, delayMillis: push.delayMillis + 200 }] : [push]
    }
  },
  {
    ...base,
    id: "cdrs.sent-otherwise-than-listed",
    description: "Pushes CDRs with another total energy than it lists",
    caughtBy: ["CDR-037"],
    behaviour: { push: editPush("cdrs", field("total_energy", times(2))) }
  }
]

function doubled(connectors: unknown): unknown {
  const all = objectsIn(connectors)
  return [...all, ...all.slice(0, 1).map((connector) => ({ ...connector, id: "OTHER" }))]
}
