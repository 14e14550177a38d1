/** OCPI 2.3.0, document `mod_hub_client_info`. */
import { Schema } from "effect"
import { clientInfoFields } from "../v2_2_1/ClientInfo.ts"
import { Role } from "./Credentials.ts"

/** ClientInfo object (mod_hub_client_info): the role cannot be `HUB`. */
export const ClientInfo = Schema.Struct({ ...clientInfoFields, role: Role }).annotations({
  identifier: "ClientInfo"
})
