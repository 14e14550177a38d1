/** OCPI 2.3.0, document `mod_locations`. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { list } from "../types.ts"
import { connectorFields, ConnectorType as Known } from "../v2_2_1/Connector.ts"

/** ConnectorType (mod_locations), an OpenEnum from 2.3.0 on, which lists two more plugs. */
export const ConnectorType = openEnum(Known, "MCS", "SAE_J3400")

/** ConnectorCapability (mod_locations), an OpenEnum: Plug and Charge by ISO 15118-2 or 15118-20. */
const ConnectorCapability = openEnum(
  Schema.Literal("ISO_15118_2_PLUG_AND_CHARGE", "ISO_15118_20_PLUG_AND_CHARGE")
)

/** Connector object (mod_locations): adds `capabilities`. */
export const Connector = Schema.Struct({
  ...connectorFields,
  standard: ConnectorType,
  capabilities: list(ConnectorCapability)
}).annotations({ identifier: "Connector" })
