/** OCPI 2.2.1, document `mod_locations`. */
import { Schema } from "effect"
import { ciId, ciString, DisplayText, list, nonEmptyList, ocpiString, optional } from "../types.ts"
import { Image } from "./BusinessDetails.ts"
import { Connector } from "./Connector.ts"
import { DateTime } from "./DateTime.ts"
import { GeoLocation } from "./GeoLocation.ts"

/** Status enum (mod_locations), the same in every version. */
export const Status = Schema.Literal(
  "AVAILABLE",
  "BLOCKED",
  "CHARGING",
  "INOPERATIVE",
  "OUTOFORDER",
  "PLANNED",
  "REMOVED",
  "RESERVED",
  "UNKNOWN"
).annotations({ identifier: "Status" })

/** Capability enum (mod_locations); open in 2.3.0. */
export const Capability = Schema.Literal(
  "CHARGING_PROFILE_CAPABLE",
  "CHARGING_PREFERENCES_CAPABLE",
  "CHIP_CARD_SUPPORT",
  "CONTACTLESS_CARD_SUPPORT",
  "CREDIT_CARD_PAYABLE",
  "DEBIT_CARD_PAYABLE",
  "PED_TERMINAL",
  "REMOTE_START_STOP_CAPABLE",
  "RESERVABLE",
  "RFID_READER",
  "START_SESSION_CONNECTOR_REQUIRED",
  "TOKEN_GROUP_CAPABLE",
  "UNLOCK_CAPABLE"
).annotations({ identifier: "Capability" })

/** ParkingRestriction enum (mod_locations); open in 2.3.0. */
export const ParkingRestriction = Schema.Literal(
  "EV_ONLY",
  "PLUGGED",
  "DISABLED",
  "CUSTOMERS",
  "MOTORCYCLES"
).annotations({ identifier: "ParkingRestriction" })

/** StatusSchedule class (mod_locations): the planned status of an EVSE; without `period_end` its end is open. */
const StatusSchedule = Schema.Struct({
  period_begin: DateTime,
  period_end: optional(DateTime),
  status: Status
}).annotations({ identifier: "StatusSchedule" })

/** Fields of the EVSE object; the other versions spread them. */
export const evseFields = {
  uid: ciId(36),
  evse_id: optional(ciString(48)),
  status: Status,
  status_schedule: list(StatusSchedule),
  capabilities: list(Capability),
  connectors: nonEmptyList(Connector),
  floor_level: optional(ocpiString(4)),
  coordinates: optional(GeoLocation),
  physical_reference: optional(ocpiString(16)),
  directions: list(DisplayText),
  parking_restrictions: list(ParkingRestriction),
  images: list(Image),
  last_updated: DateTime
}

/** EVSE object (mod_locations): one place to charge, which one car at a time can use. */
export const EVSE = Schema.Struct(evseFields).annotations({ identifier: "EVSE" })
