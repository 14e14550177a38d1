/** OCPI 2.2.1, document `mod_locations`. */

import { Schema } from "effect"
import { personal } from "../personal.ts"
import {
  bool,
  Country,
  CountryCode,
  ciId,
  ciString,
  DisplayText,
  list,
  ocpiString,
  optional,
  PartyCode,
  TimeZone
} from "../types.ts"
import { BusinessDetails, Image } from "./BusinessDetails.ts"
import { DateTime } from "./DateTime.ts"
import { EnergyMix } from "./EnergyMix.ts"
import { EVSE } from "./Evse.ts"
import { AdditionalGeoLocation, GeoLocation } from "./GeoLocation.ts"
import { Hours } from "./Hours.ts"
import { TokenType } from "./Token.ts"

/** ParkingType enum (mod_locations), from 2.2 on; open in 2.3.0. */
export const ParkingType = Schema.Literal(
  "ALONG_MOTORWAY",
  "PARKING_GARAGE",
  "PARKING_LOT",
  "ON_DRIVEWAY",
  "ON_STREET",
  "UNDERGROUND_GARAGE"
).annotations({ identifier: "ParkingType" })

/** Facility enum (mod_locations); open in 2.3.0. */
export const Facility = Schema.Literal(
  "HOTEL",
  "RESTAURANT",
  "CAFE",
  "MALL",
  "SUPERMARKET",
  "SPORT",
  "RECREATION_AREA",
  "NATURE",
  "MUSEUM",
  "BIKE_SHARING",
  "BUS_STOP",
  "TAXI_STAND",
  "TRAM_STOP",
  "METRO_STATION",
  "TRAIN_STATION",
  "AIRPORT",
  "PARKING_LOT",
  "CARPOOL_PARKING",
  "FUEL_STATION",
  "WIFI"
).annotations({ identifier: "Facility" })

/** Fields of the PublishTokenType class; 2.3.0 spreads them. */
export const publishTokenFields = {
  uid: optional(personal("token")(ciString(36))),
  type: optional(TokenType),
  visual_number: optional(personal("card")(ocpiString(64))),
  issuer: optional(ocpiString(64)),
  group_id: optional(personal("group")(ciString(36)))
}

type Given = string | null | undefined

/**
 * PublishTokenType class (mod_locations): at least one of uid, visual_number and group_id; `uid` needs `type`,
 * `visual_number` needs `issuer`.
 */
export const publishTokenRule = (token: {
  readonly uid?: Given
  readonly type?: Given
  readonly visual_number?: Given
  readonly issuer?: Given
  readonly group_id?: Given
}) =>
  [
    (token.uid ?? token.visual_number ?? token.group_id) == null && {
      path: [],
      message: "has none of uid, visual_number and group_id; it needs one at least"
    },
    token.uid != null && token.type == null && { path: ["type"], message: "is missing, though uid is given" },
    token.visual_number != null &&
      token.issuer == null && { path: ["issuer"], message: "is missing, though visual_number is given" }
  ].filter((issue) => issue !== false)

/** PublishTokenType class (mod_locations): the tokens whose drivers may be shown a location that is not published. */
const PublishTokenType = Schema.Struct(publishTokenFields)
  .pipe(Schema.filter(publishTokenRule))
  .annotations({ identifier: "PublishTokenType" })

/** Fields of the Location object; the other versions spread them. */
export const locationFields = {
  country_code: CountryCode,
  party_id: PartyCode,
  id: ciId(36),
  publish: bool,
  publish_allowed_to: list(PublishTokenType),
  name: optional(ocpiString(255)),
  address: ocpiString(255),
  city: ocpiString(45),
  postal_code: optional(ocpiString(10)),
  state: optional(ocpiString(45)),
  country: Country,
  coordinates: GeoLocation,
  related_locations: list(AdditionalGeoLocation),
  parking_type: optional(ParkingType),
  evses: list(EVSE),
  directions: list(DisplayText),
  operator: optional(BusinessDetails),
  suboperator: optional(BusinessDetails),
  owner: optional(BusinessDetails),
  facilities: list(Facility),
  time_zone: TimeZone,
  opening_times: optional(Hours),
  charging_when_closed: optional(bool),
  images: list(Image),
  energy_mix: optional(EnergyMix),
  last_updated: DateTime
}

/** Location object (mod_locations), in 2.2.1. */
export const Location = Schema.Struct(locationFields).annotations({ identifier: "Location" })
