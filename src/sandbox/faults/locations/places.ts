/** Further faults in the values of a CPO's locations, and in how they are pushed. */
import { hourMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { field, readBack, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"
import { aboutModule, editObjects, when } from "../replies.ts"
import { wholeConnectors, wholeEvses, wholeLocations } from "./wholeLocations.ts"

const base = { module: "locations", versions: allVersions, roles: cpo, strength: "must" } as const

/** The names that other versions give to a connector's voltage and amperage. */
const otherName: Readonly<Record<string, string>> = {
  voltage: "max_voltage",
  amperage: "max_amperage",
  max_voltage: "voltage",
  max_amperage: "amperage"
}

/** Faults in the fields of a CPO's locations, EVSEs and connectors, in their timestamps, and in their pushes. */
export const placesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "locations.numeric-coordinates",
    description: "Writes coordinates as numbers",
    caughtBy: ["LOC-007"],
    behaviour: wholeLocations(
      field("coordinates", (at) =>
        Object.fromEntries(Object.entries(at as JsonObject).map(([name, text]) => [name, Number(text)]))
      )
    )
  },
  {
    ...base,
    id: "locations.fields-of-other-versions",
    description: "Names a connector's voltage and amperage as other versions do",
    caughtBy: ["LOC-002"],
    behaviour: wholeConnectors((connector) =>
      Object.fromEntries(Object.entries(connector).map(([name, value]) => [otherName[name] ?? name, value]))
    )
  },
  {
    ...base,
    id: "locations.unpublished-word",
    versions: versionsWhere(({ publish }) => publish),
    description: "Leaves publish out of its locations",
    caughtBy: ["LOC-002"],
    behaviour: wholeLocations(without("publish"))
  },
  {
    ...base,
    id: "locations.from-the-future",
    strength: "should",
    description: "Sets last_updated of its locations an hour ahead",
    caughtBy: ["LOC-015"],
    behaviour: {
      reply: when(
        aboutModule("locations"),
        editObjects((object, { receivedAt }) =>
          "coordinates" in object
            ? { ...object, last_updated: dateTimeOf(Date.parse(receivedAt) + hourMillis) }
            : object
        )
      )
    }
  },
  {
    ...base,
    id: "locations.offset-in-time",
    description: "Writes last_updated of its locations with an offset instead of in UTC",
    caughtBy: ["LOC-002"],
    behaviour: wholeLocations(
      field("last_updated", (at) => {
        const millis = dateTimeMillis(at)
        return millis === undefined ? at : `${dateTimeOf(millis + hourMillis).slice(0, 19)}+01:00`
      })
    )
  },
  {
    ...base,
    id: "locations.strange-evse-id",
    strength: "should",
    description: "Gives EVSEs an evse_id of unknown form",
    caughtBy: ["LOC-016"],
    behaviour: wholeEvses(field("evse_id", (id) => `charger ${String(id).slice(-9)}`))
  },
  {
    ...base,
    id: "locations.no-evse-id",
    strength: "should",
    description: "Gives EVSEs no evse_id",
    caughtBy: ["LOC-017"],
    behaviour: wholeEvses(without("evse_id"))
  },
  {
    ...base,
    id: "locations.no-voltage",
    strength: "should",
    description: "Gives connectors a voltage of 0",
    caughtBy: ["LOC-030"],
    behaviour: wholeConnectors((connector) =>
      field("voltage", () => 0)(field("max_voltage", () => 0)(connector))
    )
  },
  {
    ...base,
    id: "locations.direct-current-by-type-2",
    strength: "should",
    description: "Gives type 2 connectors the power_type DC",
    caughtBy: ["LOC-031"],
    // Without max_electric_power, which would contradict the direct current.
    behaviour: wholeConnectors(({ max_electric_power: _, ...connector }) =>
      connector["standard"] === "IEC_62196_T2" ? { ...connector, power_type: "DC" } : connector
    )
  },
  {
    ...base,
    id: "locations.other-than-listed",
    description: "Returns a location by its id with another name than in the list",
    caughtBy: ["LOC-034"],
    behaviour: {
      reply: readBack("locations", (object) =>
        "coordinates" in object ? { ...object, name: "Somewhere else" } : object
      )
    }
  },
  {
    ...base,
    id: "locations.sent-in-part",
    description: "Leaves the city out of the locations that it pushes",
    caughtBy: ["LOC-042"],
    behaviour: {
      push: (push) =>
        push.operation === "PUT location"
          ? [{ ...push, body: without("city")(push.body as JsonObject) }]
          : [push]
    }
  },
  {
    ...base,
    id: "locations.status-kept-secret",
    strength: "should",
    description: "Does not push status changes of its EVSEs",
    caughtBy: ["LOC-044"],
    behaviour: { push: (push) => (push.operation === "PATCH evse" ? [] : [push]) }
  }
]
