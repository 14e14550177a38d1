/** Document `mod_locations`: EVSE; none can ask for a connector to be named when a session is started. */
import { Schema } from "effect"
import { without } from "../enums.ts"
import { list, nonEmptyList } from "../types.ts"
import { evseFields, Capability as NewerCapability } from "../v2_2_1/Evse.ts"
import { Connector } from "./Connector.ts"

export const Capability = without(NewerCapability, "START_SESSION_CONNECTOR_REQUIRED").annotations({
  identifier: "Capability"
})

export const EVSE = Schema.Struct({
  ...evseFields,
  capabilities: list(Capability),
  connectors: nonEmptyList(Connector)
}).annotations({ identifier: "EVSE" })
