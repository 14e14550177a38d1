/** OCPI 2.1.1, document `mod_locations`. */
import { Schema } from "effect"
import { without } from "../enums.ts"
import { ciId, optional } from "../types.ts"
import { ConnectorType as NewerConnectorType, PowerType } from "../v2_2/Connector.ts"
import { connectorFields } from "../v2_2_1/Connector.ts"
import { DateTime } from "./DateTime.ts"

/** ConnectorType enum (mod_locations), without the pantographs that 2.2 added. */
const ConnectorType = without(NewerConnectorType, "PANTOGRAPH_BOTTOM_UP", "PANTOGRAPH_TOP_DOWN").annotations({
  identifier: "ConnectorType"
})

const { max_amperage, max_electric_power: _, max_voltage, tariff_ids: __, ...shared } = connectorFields

/**
 * Connector object (mod_locations): one tariff at most (`tariff_id`), `voltage` and `amperage` without `max_`, no
 * power.
 */
export const Connector = Schema.Struct({
  ...shared,
  standard: ConnectorType,
  power_type: PowerType,
  voltage: max_voltage,
  amperage: max_amperage,
  tariff_id: optional(ciId(36)),
  last_updated: DateTime
}).annotations({ identifier: "Connector" })
