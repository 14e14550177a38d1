/** OCPI 2.3.0, document `mod_locations`. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { ciString, list, optional } from "../types.ts"
import {
  Facility as KnownFacility,
  ParkingType as KnownParkingType,
  locationFields,
  publishTokenFields,
  publishTokenRule
} from "../v2_2_1/Location.ts"
import { BusinessDetails, Image } from "./BusinessDetails.ts"
import { EnergyMix } from "./EnergyMix.ts"
import { EVSE } from "./Evse.ts"
import { Parking } from "./Parking.ts"
import { TokenType } from "./Token.ts"

/** ParkingType (mod_locations), an OpenEnum from 2.3.0 on. */
const ParkingType = openEnum(KnownParkingType)

/** Facility (mod_locations), an OpenEnum from 2.3.0 on. */
const Facility = openEnum(KnownFacility)

/** PublishTokenType class (mod_locations): the type of the token is open. */
const PublishTokenType = Schema.Struct({ ...publishTokenFields, type: optional(TokenType) })
  .pipe(Schema.filter(publishTokenRule))
  .annotations({ identifier: "PublishTokenType" })

/** Location object (mod_locations): adds `parking_places` and `help_phone`. */
export const Location = Schema.Struct({
  ...locationFields,
  publish_allowed_to: list(PublishTokenType),
  parking_type: optional(ParkingType),
  evses: list(EVSE),
  parking_places: list(Parking),
  operator: optional(BusinessDetails),
  suboperator: optional(BusinessDetails),
  owner: optional(BusinessDetails),
  facilities: list(Facility),
  images: list(Image),
  energy_mix: optional(EnergyMix),
  help_phone: optional(ciString(25))
}).annotations({ identifier: "Location" })
