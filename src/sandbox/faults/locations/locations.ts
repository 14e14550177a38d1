/** Faults in the values of a CPO's locations, and in their list. */

import { dayMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import { allVersions, closedVersions, cpo, type Fault, openVersions } from "../Fault.ts"
import { aboutList, type EditReply, editData, when } from "../replies.ts"
import { wholeConnectors, wholeEvses, wholeLocations } from "./wholeLocations.ts"

const base = { module: "locations", versions: allVersions, roles: cpo, strength: "must" } as const

const coordinates = (edit: (at: JsonObject) => JsonObject) =>
  wholeLocations((location) => ({ ...location, coordinates: edit(objectIn(location["coordinates"])) }))
const list = (edit: (items: ReadonlyArray<JsonObject>) => unknown): EditReply =>
  when(
    aboutList("locations"),
    editData((data) => (Array.isArray(data) ? edit(objectsIn(data)) : data))
  )
const strangeCapability = (evse: JsonObject): JsonObject => ({
  ...evse,
  capabilities: [...listIn(evse["capabilities"]), "TELEPORTATION"]
})
const listIn = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** In the countries of the sandbox's data, the first two letters of the alpha-3 code are the alpha-2 code. */
const alpha2 = (country: unknown) => String(country).slice(0, 2)

/** Faults in the list of a CPO's locations: required fields, enumerations, coordinates, ids, and references. */
export const locationsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "locations.list-under-key",
    description: "Wraps the list of locations in an object",
    caughtBy: ["LOC-001"],
    behaviour: { reply: list((items) => ({ locations: items })) }
  },
  {
    ...base,
    id: "locations.no-address",
    description: "Leaves the required address out of its locations",
    caughtBy: ["LOC-002"],
    behaviour: wholeLocations(({ address: _, ...location }) => location)
  },
  {
    ...base,
    id: "locations.unknown-status",
    description: "Gives EVSEs a status that OCPI does not know",
    caughtBy: ["LOC-003"],
    behaviour: wholeEvses((evse) => ({ ...evse, status: "FREE" }))
  },
  {
    ...base,
    id: "locations.unknown-capability",
    versions: closedVersions,
    description: "Gives EVSEs a capability that the version does not know",
    caughtBy: ["LOC-004"],
    behaviour: wholeEvses(strangeCapability)
  },
  {
    ...base,
    id: "locations.own-capability",
    versions: openVersions,
    strength: "may",
    description: "Uses a capability of its own, as the open enumeration allows",
    caughtBy: ["LOC-005"],
    behaviour: wholeEvses(strangeCapability)
  },
  {
    ...base,
    id: "locations.two-letter-country",
    description: "Gives the country as alpha-2 instead of alpha-3",
    caughtBy: ["LOC-006"],
    behaviour: wholeLocations((location) => ({ ...location, country: alpha2(location["country"]) }))
  },
  {
    ...base,
    id: "locations.coarse-coordinates",
    description: "Gives coordinates with one decimal",
    caughtBy: ["LOC-007"],
    behaviour: coordinates(({ latitude, longitude }) => ({
      latitude: Number(latitude).toFixed(1),
      longitude: Number(longitude).toFixed(1)
    }))
  },
  {
    ...base,
    id: "locations.swapped-coordinates",
    strength: "should",
    description: "Swaps latitude and longitude",
    caughtBy: ["LOC-008"],
    behaviour: coordinates(({ latitude, longitude }) => ({ latitude: longitude, longitude: latitude }))
  },
  {
    ...base,
    id: "locations.zone-as-offset",
    description: "Gives the time zone as a UTC offset instead of an IANA name",
    caughtBy: ["LOC-009"],
    behaviour: wholeLocations((location) => ({ ...location, time_zone: "UTC+01:00" }))
  },
  {
    ...base,
    id: "locations.id-twice",
    description: "Lists two locations under one id",
    caughtBy: ["LOC-010"],
    behaviour: {
      reply: list((items) =>
        items.map((item, index) => (index === 1 ? { ...item, id: items[0]!["id"] } : item))
      )
    }
  },
  {
    ...base,
    id: "locations.evse-uid-twice",
    description: "Gives all EVSEs of a location the same uid",
    caughtBy: ["LOC-011"],
    behaviour: wholeLocations((location) => {
      const all = objectsIn(location["evses"])
      return { ...location, evses: all.map((evse) => ({ ...evse, uid: all[0]?.["uid"] })) }
    })
  },
  {
    ...base,
    id: "locations.connector-id-twice",
    description: "Lists each connector twice in its EVSE",
    caughtBy: ["LOC-012"],
    behaviour: wholeEvses((evse) => ({
      ...evse,
      connectors: objectsIn(evse["connectors"]).flatMap((connector) => [connector, connector])
    }))
  },
  {
    ...base,
    id: "locations.no-connectors",
    description: "Lists EVSEs without connectors",
    caughtBy: ["LOC-013"],
    behaviour: wholeEvses((evse) => ({ ...evse, connectors: [] }))
  },
  {
    ...base,
    id: "locations.stale-parent",
    description: "Leaves a location's last_updated behind that of its EVSEs",
    caughtBy: ["LOC-014"],
    behaviour: wholeLocations((location) => {
      const newest = Math.max(
        ...objectsIn(location["evses"]).map((evse) => dateTimeMillis(evse["last_updated"]) ?? 0)
      )
      return newest > 0 && Number.isFinite(newest)
        ? { ...location, last_updated: dateTimeOf(newest - dayMillis) }
        : location
    })
  },
  {
    ...base,
    strength: "should",
    id: "locations.unknown-tariff",
    description: "References a tariff that it does not list",
    caughtBy: ["LOC-019"],
    behaviour: wholeConnectors((connector) => ({
      ...connector,
      ...("tariff_ids" in connector ? { tariff_ids: ["NO-SUCH-TARIFF"] } : { tariff_id: "NO-SUCH-TARIFF" })
    }))
  }
]
