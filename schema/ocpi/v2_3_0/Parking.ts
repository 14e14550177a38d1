/** OCPI 2.3.0, document `mod_locations`. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { bool, ciId, ciString, list, nonEmptyList, num, ocpiString, optional } from "../types.ts"
import { Image } from "./BusinessDetails.ts"

/** VehicleType (mod_locations), an OpenEnum. */
const VehicleType = openEnum(
  Schema.Literal(
    "MOTORCYCLE",
    "PERSONAL_VEHICLE",
    "PERSONAL_VEHICLE_WITH_TRAILER",
    "VAN",
    "SEMI_TRACTOR",
    "RIGID",
    "TRUCK_WITH_TRAILER",
    "BUS",
    "DISABLED"
  )
)

/** ParkingDirection enum (mod_locations). */
const ParkingDirection = Schema.Literal("PARALLEL", "PERPENDICULAR", "ANGLE").annotations({
  identifier: "ParkingDirection"
})

/** EVSEPosition enum (mod_locations): where the EVSE stands relative to the parking place. */
const EVSEPosition = Schema.Literal("LEFT", "RIGHT", "CENTER").annotations({
  identifier: "EVSEPosition"
})

/** Parking object (mod_locations): weight in kilograms, lengths in centimetres, the time limit in minutes. */
export const Parking = Schema.Struct({
  id: ciId(36),
  physical_reference: optional(ocpiString(12)),
  vehicle_types: nonEmptyList(VehicleType),
  max_vehicle_weight: optional(num),
  max_vehicle_height: optional(num),
  max_vehicle_length: optional(num),
  max_vehicle_width: optional(num),
  parking_space_length: optional(num),
  parking_space_width: optional(num),
  dangerous_goods_allowed: optional(bool),
  direction: optional(ParkingDirection),
  drive_through: optional(bool),
  restricted_to_type: bool,
  reservation_required: bool,
  time_limit: optional(num),
  roofed: optional(bool),
  images: list(Image),
  lighting: optional(bool),
  refrigeration_outlet: optional(bool),
  standards: list(ciString(36)),
  /** OCPI gives this text no length; 255 is our own limit on what we accept. */
  apds_reference: optional(ciString(255))
}).annotations({ identifier: "Parking" })

/** EVSEParking class (mod_locations): `parking_id` is the id of one of the location's parking places. */
export const EVSEParking = Schema.Struct({
  parking_id: ciId(36),
  evse_position: optional(EVSEPosition)
}).annotations({ identifier: "EVSEParking" })
