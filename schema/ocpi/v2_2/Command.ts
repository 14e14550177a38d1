/** OCPI 2.2, document `mod_commands`. */
import { Schema } from "effect"
import { startSessionFields } from "../v2_2_1/Command.ts"

const { connector_id: _, ...connectorless } = startSessionFields

/** StartSession object (mod_commands): has no `connector_id`. */
export const StartSession = Schema.Struct(connectorless).annotations({ identifier: "StartSession" })
