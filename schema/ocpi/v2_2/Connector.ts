/** OCPI 2.2, document `mod_locations`. */
import { Schema } from "effect"
import { without } from "../enums.ts"
import {
  connectorFields,
  ConnectorType as NewerConnectorType,
  PowerType as NewerPowerType
} from "../v2_2_1/Connector.ts"

/** ConnectorType enum (mod_locations), without the thirteen words that 2.2.1 added. */
export const ConnectorType = without(
  NewerConnectorType,
  "CHAOJI",
  "DOMESTIC_M",
  "DOMESTIC_N",
  "DOMESTIC_O",
  "GBT_AC",
  "GBT_DC",
  "NEMA_5_20",
  "NEMA_6_30",
  "NEMA_6_50",
  "NEMA_10_30",
  "NEMA_10_50",
  "NEMA_14_30",
  "NEMA_14_50"
).annotations({ identifier: "ConnectorType" })

/** PowerType enum (mod_locations); 2.2.1 added two phases. */
export const PowerType = without(NewerPowerType, "AC_2_PHASE", "AC_2_PHASE_SPLIT").annotations({
  identifier: "PowerType"
})

/** Connector object (mod_locations): as in 2.2.1, with fewer plugs and power types. */
export const Connector = Schema.Struct({
  ...connectorFields,
  standard: ConnectorType,
  power_type: PowerType
}).annotations({ identifier: "Connector" })
