/** OCPI 2.1.1, document `mod_locations`. */
import { Schema } from "effect"
import { without } from "../enums.ts"
import { asciiString, ciId, list, nonEmptyList, optional } from "../types.ts"
import { Capability as NewerCapability } from "../v2_2/Evse.ts"
import { evseFields, Status } from "../v2_2_1/Evse.ts"
import { Connector } from "./Connector.ts"
import { DateTime } from "./DateTime.ts"
import { DisplayText } from "./DisplayText.ts"
import { GeoLocation } from "./GeoLocation.ts"

/** Capability enum (mod_locations), without the six words that 2.2 added. */
const Capability = without(
  NewerCapability,
  "CHARGING_PREFERENCES_CAPABLE",
  "CHIP_CARD_SUPPORT",
  "CONTACTLESS_CARD_SUPPORT",
  "DEBIT_CARD_PAYABLE",
  "PED_TERMINAL",
  "TOKEN_GROUP_CAPABLE"
).annotations({ identifier: "Capability" })

/** StatusSchedule class (mod_locations), with the times of this version. */
const StatusSchedule = Schema.Struct({
  period_begin: DateTime,
  period_end: optional(DateTime),
  status: Status
}).annotations({ identifier: "StatusSchedule" })

/** EVSE object (mod_locations): ids of up to 39 characters, texts in printable ASCII. */
export const EVSE = Schema.Struct({
  ...evseFields,
  uid: ciId(39),
  status_schedule: list(StatusSchedule),
  capabilities: list(Capability),
  connectors: nonEmptyList(Connector),
  floor_level: optional(asciiString(4)),
  coordinates: optional(GeoLocation),
  physical_reference: optional(asciiString(16)),
  directions: list(DisplayText),
  last_updated: DateTime
}).annotations({ identifier: "EVSE" })
