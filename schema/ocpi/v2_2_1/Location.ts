/** Document `mod_locations`: Location. */

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

export const ParkingType = Schema.Literal(
  "ALONG_MOTORWAY",
  "PARKING_GARAGE",
  "PARKING_LOT",
  "ON_DRIVEWAY",
  "ON_STREET",
  "UNDERGROUND_GARAGE"
).annotations({ identifier: "ParkingType" })

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

export const publishTokenFields = {
  uid: optional(personal("token")(ciString(36))),
  type: optional(TokenType),
  visual_number: optional(personal("card")(ocpiString(64))),
  issuer: optional(ocpiString(64)),
  group_id: optional(personal("group")(ciString(36)))
}

type Given = string | null | undefined

/** One of uid, visual_number and group_id at least; a uid comes with its type, a visual number with its issuer. */
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

export const PublishTokenType = Schema.Struct(publishTokenFields)
  .pipe(Schema.filter(publishTokenRule))
  .annotations({ identifier: "PublishTokenType" })

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
export const Location = Schema.Struct(locationFields).annotations({ identifier: "Location" })
export type Location = typeof Location.Type
