/** Document `mod_locations`: Parking, EVSEParking. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { bool, ciId, ciString, list, nonEmptyList, num, ocpiString, optional } from "../types.ts"
import { Image } from "./BusinessDetails.ts"

export const VehicleType = openEnum(
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

export const ParkingDirection = Schema.Literal("PARALLEL", "PERPENDICULAR", "ANGLE").annotations({
  identifier: "ParkingDirection"
})

export const EVSEPosition = Schema.Literal("LEFT", "RIGHT", "CENTER").annotations({
  identifier: "EVSEPosition"
})

/** Weight in kilograms, lengths in centimetres, the time limit in minutes. */
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
  /** The table gives no length; ours only keeps it from growing without end. */
  apds_reference: optional(ciString(255))
}).annotations({ identifier: "Parking" })

/** `parking_id` is the id of one of the location's parking places. */
export const EVSEParking = Schema.Struct({
  parking_id: ciId(36),
  evse_position: optional(EVSEPosition)
}).annotations({ identifier: "EVSEParking" })
