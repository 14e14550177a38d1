/** Locations, EVSEs and connectors: form, enums and place. */

import { alpha3Countries } from "../../../../schema/ocpi/countries.ts"
import { isTimeZone } from "../../../../schema/ocpi/timeZones.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { at, given, unless } from "../../../findings/finding.ts"
import { isObject, numberFrom } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { Check } from "../../model/Check.ts"
import { locations } from "../shared/objects/ListedKind.ts"
import {
  below,
  flawsOf,
  inEntriesOf,
  inFields,
  isFlawed,
  type SchemaFlaw
} from "../shared/objects/objectFlaws.ts"
import { onFlaws, onForm, onList } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { implausible } from "./geography.ts"
import { withoutHours } from "./locationHours.ts"
import { locationsBase, locationsChapter, onLocations } from "./readLocations.ts"

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

const noConnectors = ({ field, pointer }: SchemaFlaw) =>
  field === "connectors" && /\/connectors$/.test(pointer)

/** Flaws that a more specific check reports. Where the version's own words are open, none is about what is no word at all. */
const told =
  ({ openEnums, ownerFields }: VersionProfile) =>
  (flaw: SchemaFlaw): boolean =>
    inFields(
      ...closedFields,
      ...(openEnums ? [] : versionFields),
      ...placeFields,
      "country",
      "time_zone"
    )(flaw) ||
    noConnectors(flaw) ||
    (ownerFields && flaw.pointer === "/opening_times/twentyfourseven") ||
    withoutHours(flaw) ||
    inEntriesOf(
      "opening_times/regular_hours",
      "publish_allowed_to",
      "energy_mix/environ_impact",
      "parking_places"
    )(flaw)

/**
 * Judge the list of locations, the schema of its objects, their enums, countries, coordinates and time zones
 * (mod_locations, Sender Interface and Location object).
 */
export const locationsChecks: ReadonlyArray<Check> = [
  {
    ...locationsBase,
    id: "LOC-001",
    title: "GET locations: HTTP 200, status_code 1000 and an array",
    reference: `${locationsChapter}, GET Method of the Sender Interface`,
    sends: "GET locations",
    passes: "HTTP 200, status_code 1000, data is an array",
    hint: "Answer GET locations with status_code 1000 and an array in data, which is empty when there are no locations.",
    ...onList(locations)
  },
  {
    ...locationsBase,
    id: "LOC-002",
    title: "Location, EVSE and Connector: each conforms to the version's schema",
    reference: `${locationsChapter}, Location, EVSE and Connector objects`,
    passes: "each Location, EVSE and Connector conforms to the version's schema",
    hint: "Compare the field at the pointer with the table of the Location, EVSE or Connector object of this version.",
    judge: (evidence) => onForm(locations, told(evidence.profile))(evidence)
  },
  {
    ...locationsBase,
    id: "LOC-003",
    title: "Location: status, power_type, format and energy source have values of the closed enums",
    reference: `${locationsChapter}, Status, PowerType, ConnectorFormat and EnergySourceCategory enums`,
    passes: "status, power_type, format and energy source are values of the version",
    hint: "Map the value at the pointer to one of the version's enum.",
    judge: onFlaws(locations, inFields(...closedFields))
  },
  {
    ...locationsBase,
    id: "LOC-004",
    versions: versionsWhere(({ openEnums }) => !openEnums),
    title: "Location: standard, capabilities, facilities and parking have values of the version's enums",
    reference: `${locationsChapter}, ConnectorType, Capability, Facility, ParkingType and ParkingRestriction enums`,
    passes: "standard, capabilities, facilities, parking and image values are of this version",
    hint: "Map a value of a later version to one of this version, or leave it out.",
    judge: onFlaws(locations, inFields(...versionFields))
  },
  {
    ...locationsBase,
    id: "LOC-006",
    title: "Location: country is an assigned ISO 3166-1 alpha-3 code",
    reference: `${locationsChapter}, Location object`,
    passes: "country is an assigned ISO 3166-1 alpha-3 code in capitals",
    hint: "Write the country with three capital letters, like NLD: ISO 3166-1 alpha-3.",
    lenient: (profile) => !profile.credentialsRoles,
    judge: onLocations(({ locations }) =>
      locations.flatMap(({ json, pointer, seen }) => {
        const { country } = json
        // A missing country breaks the form, which another check reports.
        return unless(
          country === undefined ||
            country === null ||
            (typeof country === "string" && alpha3Countries.has(country)),
          () =>
            at(seen, `${pointer}/country`, "country is not an assigned ISO 3166-1 alpha-3 code", {
              expected: "ISO 3166-1 alpha-3, e.g. NLD",
              actual: country
            })
        )
      })
    )
  },
  {
    ...locationsBase,
    id: "LOC-007",
    title: "Coordinates: latitude and longitude have the version's form and are within range",
    reference: `${locationsChapter}, GeoLocation class`,
    passes: "latitude and longitude are strings in the version's form, within ±90 and ±180",
    hint: 'Write latitude and longitude as texts with a point and the number of decimals of the version, like "51.047599".',
    judge: (evidence) =>
      onLocations((read) => [
        ...flawsOf(evidence, locations)
          .filter(inFields(...placeFields))
          .map(({ finding }) => finding),
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
    ...locationsBase,
    id: "LOC-008",
    title: "Coordinates: each location lies in its country",
    strength: "should",
    reference: `${locationsChapter}, GeoLocation class`,
    passes: "the coordinates lie plausibly in the country; not 0/0, not swapped",
    hint: "Check that latitude and longitude are not exchanged, and that both are set.",
    judge: onLocations((read, evidence) =>
      pointsOf(
        read.locations.filter((item) => !isFlawed(evidence, locations, item, below("coordinates", "country")))
      ).flatMap(({ json, latitude, longitude, pointer, seen }) => {
        const why = implausible(json["country"], latitude, longitude)
        return given(why, (why) =>
          at(seen, pointer, why, {
            expected: `a point in ${inWords(json["country"])}`,
            actual: `${latitude}, ${longitude}`
          })
        )
      })
    )
  },
  {
    ...locationsBase,
    id: "LOC-009",
    title: "Location: time_zone is the name of an IANA time zone",
    reference: `${locationsChapter}, Location object`,
    passes: "time_zone is the name of an IANA zone",
    hint: "Write the name of an IANA time zone, like Europe/Amsterdam: no offset and no abbreviation.",
    judge: onLocations(({ locations }) =>
      locations.flatMap(({ json, pointer, seen }) => {
        const zone = json["time_zone"]
        return unless(
          zone === undefined || zone === null || (typeof zone === "string" && isTimeZone(zone)),
          () =>
            at(seen, `${pointer}/time_zone`, "time_zone is not the name of an IANA time zone", {
              expected: "e.g. Europe/Amsterdam",
              actual: zone
            })
        )
      })
    )
  }
]

interface Point extends Placed {
  readonly latitude: number
  readonly longitude: number
}

/** Coordinates that can be read as numbers, whatever their form. */
function pointsOf(items: ReadonlyArray<Placed>): ReadonlyArray<Point> {
  return items.flatMap((item) => {
    const { coordinates } = item.json
    if (!isObject(coordinates)) return []
    const [latitude, longitude] = [numberFrom(coordinates["latitude"]), numberFrom(coordinates["longitude"])]
    return Number.isNaN(latitude) || Number.isNaN(longitude)
      ? []
      : [{ ...item, pointer: `${item.pointer}/coordinates`, latitude, longitude }]
  })
}
