/** OCPI 2.2, document `mod_locations`. */
import { Schema } from "effect"
import { without } from "../enums.ts"
import { list, nonEmptyList } from "../types.ts"
import { evseFields, Capability as NewerCapability } from "../v2_2_1/Evse.ts"
import { Connector } from "./Connector.ts"

/** Capability enum (mod_locations); 2.2.1 added `START_SESSION_CONNECTOR_REQUIRED`. */
export const Capability = without(NewerCapability, "START_SESSION_CONNECTOR_REQUIRED").annotations({
  identifier: "Capability"
})

/** EVSE object (mod_locations): as in 2.2.1, with fewer capabilities. */
export const EVSE = Schema.Struct({
  ...evseFields,
  capabilities: list(Capability),
  connectors: nonEmptyList(Connector)
}).annotations({ identifier: "EVSE" })
