/** OCPI 2.3.0, document `mod_locations`. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { list, nonEmptyList, ocpiString } from "../types.ts"
import {
  evseFields,
  Capability as KnownCapability,
  ParkingRestriction as KnownRestriction
} from "../v2_2_1/Evse.ts"
import { Image } from "./BusinessDetails.ts"
import { Connector } from "./Connector.ts"
import { EVSEParking } from "./Parking.ts"

/** Capability (mod_locations), an OpenEnum from 2.3.0 on. */
const Capability = openEnum(KnownCapability)

/** ParkingRestriction (mod_locations), an OpenEnum from 2.3.0 on, which lists three more words. */
const ParkingRestriction = openEnum(KnownRestriction, "EMPLOYEES", "TAXIS", "TENANTS")

/** EVSE object (mod_locations): adds `parking` and `accepted_service_providers`. */
export const EVSE = Schema.Struct({
  ...evseFields,
  capabilities: list(Capability),
  connectors: nonEmptyList(Connector),
  parking_restrictions: list(ParkingRestriction),
  parking: list(EVSEParking),
  images: list(Image),
  accepted_service_providers: list(ocpiString(50))
}).annotations({ identifier: "EVSE" })
