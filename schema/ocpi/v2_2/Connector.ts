/** Document `mod_locations`: Connector, with fewer plugs and no two phases. */
import { Schema } from "effect"
import { without } from "../enums.ts"
import {
  connectorFields,
  ConnectorType as NewerConnectorType,
  PowerType as NewerPowerType
} from "../v2_2_1/Connector.ts"

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

export const PowerType = without(NewerPowerType, "AC_2_PHASE", "AC_2_PHASE_SPLIT").annotations({
  identifier: "PowerType"
})

export const Connector = Schema.Struct({
  ...connectorFields,
  standard: ConnectorType,
  power_type: PowerType
}).annotations({ identifier: "Connector" })
