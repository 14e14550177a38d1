/** Document `mod_hub_client_info`: a hub is no role any more. */
import { Schema } from "effect"
import { clientInfoFields } from "../v2_2_1/ClientInfo.ts"
import { Role } from "./Credentials.ts"

/** ClientInfo object (mod_hub_client_info): the role cannot be `HUB`. */
export const ClientInfo = Schema.Struct({ ...clientInfoFields, role: Role }).annotations({
  identifier: "ClientInfo"
})
