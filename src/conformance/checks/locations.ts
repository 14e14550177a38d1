/** Locations, EVSEs and connectors: form, enums, identity, place and time. */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { versionNumbers, versionsWhere } from "../../../schema/ocpi/versions.ts"
import { dateTimeMillis } from "../../ocpi/dateTime.ts"
import { isObject, shown } from "../answers.ts"
import { type Check, type Finding, noneOf } from "../Check.ts"
import { at, notSuccess, repeated, wrongData } from "./findings.ts"
import { implausible, isCountry } from "./geography.ts"
import { flawsWhere, onFlaws, onLocations, type Placed, type SchemaFlaw } from "./readLocations.ts"

const chapter = "mod_locations"
const base = {
  module: "locations",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "RO",
  strength: "must",
  sends: "GET locations, and follows the links to the last page",
  needs: () => ["locations.list", "locations.crawl"]
} as const

/** Enums of names may be extended by the parties: the version that brings payments opened them. */
const openEnums = (profile: VersionProfile) => profile.modules.includes("payments")

const closedFields = ["status", "power_type", "format", "source", "evse_position", "direction"]
const versionFields = [
  "standard",
  "capabilities",
  "facilities",
  "parking_type",
  "type",
  "parking_restrictions",
  "category"
]
const placeFields = ["latitude", "longitude"]

const hasWrong =
  (fields: ReadonlyArray<string>) =>
  ({ field, present }: SchemaFlaw): boolean =>
    present && fields.includes(field)

const noConnectors = ({ field, pointer }: SchemaFlaw) =>
  field === "connectors" && /\/connectors$/.test(pointer)

/** Flaws that a more telling check reports. */
const told = (flaw: SchemaFlaw) =>
  hasWrong([...closedFields, ...versionFields, ...placeFields, "country", "time_zone"])(flaw) ||
  noConnectors(flaw)

const twice = (
  items: ReadonlyArray<Placed>,
  field: string,
  keyOf: (item: Placed) => string,
  what: string
): ReadonlyArray<Finding> =>
  repeated(
    items.filter(({ json }) => typeof json[field] === "string"),
    keyOf
  ).map(({ json, pointer, seen }) =>
    at(seen, `${pointer}/${field}`, what, { expected: "each id once", actual: json[field] })
  )

/** Ids are compared without regard to case where the version's ids are CiStrings. */
const idOf = (value: unknown, profile: VersionProfile) =>
  profile.credentialsRoles ? shown(value).toLowerCase() : shown(value)

export const locationsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "LOC-001",
    title: "Serves the list of locations",
    reference: `${chapter}, GET Method of the Sender Interface`,
    sends: "GET locations",
    passes: "HTTP 200, status_code 1000, data is an array",
    needs: () => ["locations.list"],
    judge: (evidence) =>
      noneOf(
        evidence.answered("locations.list").flatMap((seen) => {
          const status = notSuccess(seen)
          return status.length > 0 ? status : wrongData(seen, "an array")
        })
      )
  },
  {
    ...base,
    id: "LOC-002",
    title: "Every location has the form of the version",
    reference: `${chapter}, Location, EVSE and Connector objects`,
    passes: "each Location, EVSE and Connector conforms to the version's schema",
    judge: (evidence) =>
      onLocations(({ strays }) => [...strays, ...flawsWhere((flaw) => !told(flaw), evidence)])(evidence)
  },
  {
    ...base,
    id: "LOC-003",
    title: "Uses the values of closed enums",
    reference: `${chapter}, Status, PowerType, ConnectorFormat and EnergySourceCategory enums`,
    passes: "status, power_type, format and energy source are values of the version",
    judge: onFlaws(hasWrong(closedFields))
  },
  {
    ...base,
    id: "LOC-004",
    versions: versionsWhere((profile) => !openEnums(profile)),
    title: "Uses the values of the version's other enums",
    reference: `${chapter}, ConnectorType, Capability, Facility, ParkingType and ParkingRestriction enums`,
    passes: "standard, capabilities, facilities, parking and image values are of this version",
    hint: "A value of a later version must be mapped to one of this version, or left out.",
    judge: onFlaws(hasWrong(versionFields))
  },
  {
    ...base,
    id: "LOC-006",
    title: "Names countries by assigned alpha-3 codes",
    reference: `${chapter}, Location object`,
    passes: "country is an assigned ISO 3166-1 alpha-3 code in capitals",
    lenient: (profile) => !profile.credentialsRoles,
    judge: onLocations(({ locations }) =>
      locations.flatMap(({ json, pointer, seen }) => {
        const { country } = json
        // A missing country breaks the form, which another check reports.
        return country === undefined ||
          country === null ||
          (typeof country === "string" && isCountry(country))
          ? []
          : [
              at(seen, `${pointer}/country`, "country is no assigned code", {
                expected: "ISO 3166-1 alpha-3, e.g. NLD",
                actual: country
              })
            ]
      })
    )
  },
  {
    ...base,
    id: "LOC-007",
    title: "Writes coordinates in the version's form",
    reference: `${chapter}, GeoLocation class`,
    passes: "latitude and longitude are strings in the version's form, within ±90 and ±180",
    judge: (evidence) =>
      onLocations((read) => [
        ...flawsWhere(hasWrong(placeFields), evidence),
        ...pointsOf([...read.locations, ...read.evses])
          .filter(({ latitude, longitude }) => Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
          .map(({ latitude, longitude, pointer, seen }) =>
            at(seen, pointer, "the coordinates are out of range", {
              expected: "latitude within ±90, longitude within ±180",
              actual: `${latitude}, ${longitude}`
            })
          )
      ])(evidence)
  },
  {
    ...base,
    id: "LOC-008",
    title: "Puts each location where its country is",
    strength: "should",
    reference: `${chapter}, GeoLocation class`,
    passes: "the point lies plausibly in the country; not 0/0, not swapped",
    judge: onLocations(({ locations }) =>
      pointsOf(locations).flatMap(({ json, latitude, longitude, pointer, seen }) => {
        const why = implausible(json["country"], latitude, longitude)
        return why === undefined
          ? []
          : [
              at(seen, pointer, why, {
                expected: `a point in ${String(json["country"])}`,
                actual: `${latitude}, ${longitude}`
              })
            ]
      })
    )
  },
  {
    ...base,
    id: "LOC-009",
    title: "Names an IANA time zone",
    reference: `${chapter}, Location object`,
    passes: "time_zone is the name of an IANA zone",
    judge: onLocations(({ locations }) =>
      locations.flatMap(({ json, pointer, seen }) => {
        const zone = json["time_zone"]
        return zone === undefined || zone === null || isZone(zone)
          ? []
          : [
              at(seen, `${pointer}/time_zone`, "time_zone is no IANA zone", {
                expected: "e.g. Europe/Amsterdam",
                actual: zone
              })
            ]
      })
    )
  },
  {
    ...base,
    id: "LOC-010",
    title: "Location ids are unique",
    reference: `${chapter}, Location object`,
    passes: "no two locations of one party share an id",
    judge: onLocations(({ locations }, { profile }) =>
      twice(
        locations,
        "id",
        ({ json }) => idOf([json["country_code"], json["party_id"], json["id"]], profile),
        "the location id is used twice"
      )
    )
  },
  {
    ...base,
    id: "LOC-011",
    title: "EVSE uids are unique in the platform",
    reference: `${chapter}, EVSE object`,
    passes: "no two EVSEs share a uid",
    judge: onLocations(({ evses }, { profile }) =>
      twice(evses, "uid", ({ json }) => idOf(json["uid"], profile), "the EVSE uid is used twice")
    )
  },
  {
    ...base,
    id: "LOC-012",
    title: "Connector ids are unique in the EVSE",
    reference: `${chapter}, Connector object`,
    passes: "no two connectors of an EVSE share an id",
    judge: onLocations(({ connectors }, { profile }) =>
      twice(
        connectors,
        "id",
        // The place of the EVSE is told by what stands before the connector's own number.
        ({ json, pointer, seen }) =>
          `${seen.exchange.id}${pointer.replace(/\/\d+$/, "")} ${idOf(json["id"], profile)}`,
        "the connector id is used twice in the EVSE"
      )
    )
  },
  {
    ...base,
    id: "LOC-013",
    title: "Every EVSE has a connector",
    reference: `${chapter}, EVSE object`,
    passes: "connectors has at least one entry",
    judge: onLocations(({ evses }) =>
      evses.flatMap(({ json, pointer, seen }) =>
        Array.isArray(json["connectors"]) && json["connectors"].length > 0
          ? []
          : [
              at(seen, `${pointer}/connectors`, "the EVSE has no connector", {
                expected: "at least one connector",
                actual: json["connectors"]
              })
            ]
      )
    )
  },
  {
    ...base,
    id: "LOC-014",
    title: "A parent is never older than its parts",
    reference: `${chapter}, Location, EVSE and Connector objects`,
    passes: "Connector.last_updated <= EVSE.last_updated <= Location.last_updated",
    hint: "A change of an EVSE or a connector also sets last_updated of everything above it.",
    judge: onLocations(({ connectors, evses }) => [
      ...evses.flatMap((evse) => younger(evse, evse.location, "EVSE", "location")),
      ...connectors.flatMap((one) => younger(one, one.evse, "connector", "EVSE"))
    ])
  }
]

function younger(child: Placed, parent: Placed, what: string, above: string): ReadonlyArray<Finding> {
  const [own, theirs] = [
    dateTimeMillis(child.json["last_updated"]),
    dateTimeMillis(parent.json["last_updated"])
  ]
  return own === undefined || theirs === undefined || own <= theirs
    ? []
    : [
        at(child.seen, `${child.pointer}/last_updated`, `the ${what} is younger than its ${above}`, {
          expected: `not after ${String(parent.json["last_updated"])}`,
          actual: child.json["last_updated"]
        })
      ]
}

interface Point extends Placed {
  readonly latitude: number
  readonly longitude: number
}

/** Coordinates that can be read as numbers, whatever their form. */
function pointsOf(items: ReadonlyArray<Placed>): ReadonlyArray<Point> {
  return items.flatMap((item) => {
    const { coordinates } = item.json
    if (!isObject(coordinates)) return []
    const [latitude, longitude] = [Number(coordinates["latitude"]), Number(coordinates["longitude"])]
    return coordinates["latitude"] === undefined || Number.isNaN(latitude) || Number.isNaN(longitude)
      ? []
      : [{ ...item, pointer: `${item.pointer}/coordinates`, latitude, longitude }]
  })
}

function isZone(value: unknown): boolean {
  // An offset such as +01:00 is no zone, although the platform takes it.
  if (typeof value !== "string" || !/^[A-Za-z]/.test(value)) return false
  try {
    new Intl.DateTimeFormat("en", { timeZone: value })
    return true
  } catch {
    return false
  }
}
