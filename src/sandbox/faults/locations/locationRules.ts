/** Faults in the Location objects that a CPO lists and pushes. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { field, inEach, inside } from "../edits.ts"
import { allVersions, cpo, type Fault, withRoles } from "../Fault.ts"
import { aboutModule, type EditReply, editData, editEnvelope, editObjects, when } from "../replies.ts"
import { wholeConnectors, wholeEvses, wholeLocations } from "./wholeLocations.ts"

const must = { module: "locations", versions: allVersions, roles: cpo, strength: "must" } as const
const should = { ...must, strength: "should" } as const
const withParking = versionsWhere(({ parkingPlaces }) => parkingPlaces)
const withTariffLists = versionsWhere(({ connectorNames }) => connectorNames.tariffs === "tariff_ids")

const hours = (change: JsonObject) =>
  wholeLocations((location) => ({
    ...location,
    opening_times: { ...objectIn(location["opening_times"]), ...change }
  }))
const parking = (edit: (spots: ReadonlyArray<JsonObject>) => ReadonlyArray<JsonObject>) =>
  wholeLocations(field("parking_places", (spots) => edit(objectsIn(spots))))

/** GET of an EVSE (1) or a connector (2) of a location. */
const below = (levels: number) => (request: OcpiRequest) =>
  request.method === "GET" && aboutModule("locations")(request) && request.path.length === 3 + levels
const part = (levels: number, edit: (object: JsonObject) => JsonObject): EditReply =>
  when(
    below(levels),
    editData((data) => (isObject(data) ? edit(data) : data))
  )

const christmas = { period_begin: "2035-12-26T00:00:00Z", period_end: "2035-12-24T00:00:00Z" }
const otherKind: Readonly<Record<string, string>> = { source: "category", category: "source" }

/**
 * Faults in a CPO's locations: opening times, publication, energy mix, parking places, tariffs, pictures, and single
 * EVSEs and connectors.
 */
export const locationRulesFaults: ReadonlyArray<Fault> = [
  {
    ...must,
    strength: "may",
    id: "locations.all-removed",
    description: "Lists locations whose EVSEs are all REMOVED",
    caughtBy: ["LOC-018"],
    behaviour: wholeEvses((evse) => ({ ...evse, status: "REMOVED" }))
  },
  {
    ...must,
    id: "locations.tariffs-at-once",
    versions: withTariffLists,
    description: "References two tariffs of one type at a connector, both valid at all times",
    caughtBy: ["LOC-020"],
    behaviour: wholeConnectors((connector) => ({ ...connector, tariff_ids: ["SBX-AC", "SBX-DC"] }))
  },
  {
    ...should,
    id: "locations.preferences-without-tariff",
    versions: withTariffLists,
    description:
      "Lists charging preferences as a capability of EVSEs whose connectors reference no tariff for them",
    caughtBy: ["LOC-021"],
    behaviour: wholeConnectors(({ tariff_ids: _, ...connector }) => connector)
  },
  {
    ...must,
    id: "locations.hidden-from-nobody",
    versions: withRoles,
    description: "Publishes a location to everybody and gives publish_allowed_to",
    caughtBy: ["LOC-022"],
    behaviour: wholeLocations((location) => ({ ...location, publish_allowed_to: [{ group_id: "G1" }] }))
  },
  {
    ...must,
    id: "locations.uid-of-no-type",
    versions: withRoles,
    description: "Gives a token uid in publish_allowed_to without the token type",
    caughtBy: ["LOC-023"],
    behaviour: wholeLocations((location) => ({
      ...location,
      publish: false,
      publish_allowed_to: [{ uid: "0102030405" }]
    }))
  },
  {
    ...must,
    id: "locations.never-open",
    versions: withRoles,
    description: "Gives opening times with neither twentyfourseven nor regular_hours",
    caughtBy: ["LOC-024"],
    behaviour: hours({ twentyfourseven: false, regular_hours: [] })
  },
  {
    ...should,
    id: "locations.open-twice",
    versions: versionsWhere(({ ownerFields }) => !ownerFields),
    description: "Gives opening times with both twentyfourseven and regular_hours",
    caughtBy: ["LOC-025"],
    behaviour: hours({
      twentyfourseven: true,
      regular_hours: [{ weekday: 1, period_begin: "08:00", period_end: "18:00" }]
    })
  },
  {
    ...must,
    id: "locations.closes-before-opening",
    description: "Gives regular hours that end before they begin",
    caughtBy: ["LOC-026"],
    behaviour: wholeLocations(
      inside(
        "opening_times",
        inEach("regular_hours", (period) => ({ ...period, period_end: "05:00" }))
      )
    )
  },
  {
    ...should,
    id: "locations.exception-backwards",
    description: "Gives an exceptional closing that ends before it begins",
    caughtBy: ["LOC-027"],
    behaviour: hours({ exceptional_closings: [christmas] })
  },
  {
    ...should,
    id: "locations.half-the-energy",
    description: "Gives energy sources that add up to 50 percent",
    caughtBy: ["LOC-028"],
    behaviour: wholeLocations(
      inside(
        "energy_mix",
        inEach("energy_sources", ({ percentage, ...source }) => ({
          ...source,
          percentage: Number(percentage) / 2
        }))
      )
    )
  },
  {
    ...must,
    id: "locations.impact-of-other-version",
    description: "Names the environmental impact's kind by the field of another version",
    caughtBy: ["LOC-029"],
    behaviour: wholeLocations(
      inside(
        "energy_mix",
        inEach("environ_impact", (impact) =>
          Object.fromEntries(Object.entries(impact).map(([name, value]) => [otherKind[name] ?? name, value]))
        )
      )
    )
  },
  {
    ...should,
    id: "locations.markup-in-directions",
    description: "Writes directions in HTML",
    caughtBy: ["LOC-032"],
    behaviour: wholeLocations(
      inEach("directions", ({ text, ...rest }) => ({ ...rest, text: `<p>${String(text)}</p>` }))
    )
  },
  {
    ...should,
    id: "locations.picture-behind-a-login",
    description: "Gives image URLs that cannot be opened without a token",
    caughtBy: ["LOC-033"],
    behaviour: {
      reply: when(
        aboutModule("locations"),
        editObjects((object, { url }) =>
          "coordinates" in object
            ? {
                ...object,
                images: [{ url: url.replace(/(\/locations)[/?].*/, "$1"), category: "LOCATION", type: "png" }]
              }
            : object
        )
      )
    }
  },
  {
    ...must,
    id: "locations.evse-other-than-listed",
    description: "Returns an EVSE by its uid with another physical_reference than in its location",
    caughtBy: ["LOC-035"],
    behaviour: { reply: part(1, (evse) => ({ ...evse, physical_reference: "elsewhere" })) }
  },
  {
    ...must,
    id: "locations.connector-other-than-listed",
    description: "Returns a connector by its id with another power_type than in its EVSE",
    caughtBy: ["LOC-036"],
    behaviour: { reply: part(2, (connector) => ({ ...connector, power_type: "AC_1_PHASE" })) }
  },
  {
    ...should,
    id: "locations.unknown-is-no-404",
    description: "Answers HTTP 200 for an EVSE or connector that does not exist",
    caughtBy: ["LOC-037"],
    behaviour: {
      reply: when(
        (request) => below(1)(request) || below(2)(request),
        (request, reply) =>
          reply.httpStatus === 404
            ? {
                ...editEnvelope((envelope) => ({ ...envelope, status_code: 1000 }))(request, reply),
                httpStatus: 200
              }
            : reply
      )
    }
  },
  {
    ...should,
    id: "locations.schedule-of-the-past",
    description: "Gives a status schedule that ended years ago",
    caughtBy: ["LOC-038"],
    behaviour: wholeEvses((evse) => ({
      ...evse,
      status_schedule: [
        { period_begin: "2021-03-01T06:00:00Z", period_end: "2021-03-01T09:00:00Z", status: "INOPERATIVE" }
      ]
    }))
  },
  {
    ...must,
    id: "locations.parking-for-nobody",
    versions: withParking,
    description: "Leaves the vehicle types out of its parking places",
    caughtBy: ["LOC-039"],
    behaviour: parking((spots) => spots.map(({ vehicle_types: _, ...spot }) => spot))
  },
  {
    ...must,
    id: "locations.parking-elsewhere",
    versions: withParking,
    description: "References parking places at EVSEs that the location does not list",
    caughtBy: ["LOC-040"],
    behaviour: wholeEvses(inEach("parking", (place) => ({ ...place, parking_id: "NO-SUCH-PLACE" })))
  },
  {
    ...should,
    id: "locations.parking-of-no-size",
    versions: withParking,
    description: "Has parking places for vans without max_vehicle_height and parking_space_length",
    caughtBy: ["LOC-041"],
    behaviour: parking((spots) =>
      spots.map(({ max_vehicle_height: _, parking_space_length: __, ...spot }) => spot)
    )
  }
]
