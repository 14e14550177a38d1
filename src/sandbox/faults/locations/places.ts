/** Further faults in what a CPO's locations say, and in how they are sent. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { dateTime, dateTimeMillis } from "../../../ocpi/dateTime.ts"
import { field, readBack, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"
import { aboutModule, editObjects, when } from "../replies.ts"
import { wholeConnectors, wholeEvses, wholeLocations } from "./wholeLocations.ts"

const base = { module: "locations", versions: allVersions, roles: cpo, strength: "must" } as const

/** Names of other versions for what a connector can do. */
const otherName: Readonly<Record<string, string>> = {
  voltage: "max_voltage",
  amperage: "max_amperage",
  max_voltage: "voltage",
  max_amperage: "amperage"
}
const hourMillis = 3_600_000

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
    description: "Does not say whether a location may be published",
    caughtBy: ["LOC-002"],
    behaviour: wholeLocations(without("publish"))
  },
  {
    ...base,
    id: "locations.from-the-future",
    strength: "should",
    description: "Stamps its locations an hour ahead of now",
    caughtBy: ["LOC-015"],
    behaviour: {
      reply: when(
        aboutModule("locations"),
        editObjects((object, { receivedAt }) =>
          "coordinates" in object
            ? { ...object, last_updated: dateTime(Date.parse(receivedAt) + hourMillis) }
            : object
        )
      )
    }
  },
  {
    ...base,
    id: "locations.offset-in-time",
    description: "Stamps its locations with an offset instead of in UTC",
    caughtBy: ["LOC-002"],
    behaviour: wholeLocations(
      field("last_updated", (at) => {
        const millis = dateTimeMillis(at)
        return millis === undefined ? at : `${dateTime(millis + hourMillis).slice(0, 19)}+01:00`
      })
    )
  },
  {
    ...base,
    id: "locations.strange-evse-id",
    strength: "should",
    description: "Gives EVSEs an evse_id of no known form",
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
    description: "Has plugs for alternating current deliver direct current",
    caughtBy: ["LOC-031"],
    // Without its power, which the current would not give.
    behaviour: wholeConnectors(({ max_electric_power: _, ...connector }) =>
      connector["standard"] === "IEC_62196_T2" ? { ...connector, power_type: "DC" } : connector
    )
  },
  {
    ...base,
    id: "locations.other-than-listed",
    description: "Answers a location by its id with another name than in the list",
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
    description: "PUTs locations without their city",
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
    description: "Does not tell when the status of an EVSE changes",
    caughtBy: ["LOC-044"],
    behaviour: { push: (push) => (push.operation === "PATCH evse" ? [] : [push]) }
  }
]
