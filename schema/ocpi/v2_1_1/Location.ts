/** OCPI 2.1.1, document `mod_locations`. */
import { Schema } from "effect"
import { without } from "../enums.ts"
import { asciiString, ciId, list, optional, TimeZone } from "../types.ts"
import { locationFields, Facility as NewerFacility } from "../v2_2_1/Location.ts"
import { BusinessDetails } from "./BusinessDetails.ts"
import { DateTime } from "./DateTime.ts"
import { DisplayText } from "./DisplayText.ts"
import { EnergyMix } from "./EnergyMix.ts"
import { EVSE } from "./Evse.ts"
import { AdditionalGeoLocation, GeoLocation } from "./GeoLocation.ts"
import { Hours } from "./Hours.ts"

/** LocationType enum (mod_locations); 2.2 replaced it by ParkingType. */
const LocationType = Schema.Literal(
  "ON_STREET",
  "PARKING_GARAGE",
  "UNDERGROUND_GARAGE",
  "PARKING_LOT",
  "OTHER",
  "UNKNOWN"
).annotations({ identifier: "LocationType" })

/** Facility enum (mod_locations), without the four words that 2.2 added. */
const Facility = without(
  NewerFacility,
  "BIKE_SHARING",
  "TRAM_STOP",
  "METRO_STATION",
  "PARKING_LOT"
).annotations({ identifier: "Facility" })

const {
  country_code: _,
  party_id: __,
  publish: ___,
  publish_allowed_to: ____,
  state: _____,
  parking_type: ______,
  ...shared
} = locationFields

/**
 * Location object (mod_locations): a required `type` (LocationType), no owner fields, no `publish`, and `time_zone` is
 * optional.
 */
export const Location = Schema.Struct({
  ...shared,
  id: ciId(39),
  type: LocationType,
  name: optional(asciiString(255)),
  address: asciiString(45),
  city: asciiString(45),
  postal_code: asciiString(10),
  coordinates: GeoLocation,
  related_locations: list(AdditionalGeoLocation),
  evses: list(EVSE),
  directions: list(DisplayText),
  operator: optional(BusinessDetails),
  suboperator: optional(BusinessDetails),
  owner: optional(BusinessDetails),
  facilities: list(Facility),
  time_zone: optional(TimeZone),
  opening_times: optional(Hours),
  energy_mix: optional(EnergyMix),
  last_updated: DateTime
}).annotations({ identifier: "Location" })
