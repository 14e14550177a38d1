/** Document `mod_hub_client_info`: a hub is no role any more. */
import { Schema } from "effect"
import { clientInfoFields } from "../v2_2_1/ClientInfo.ts"
import { Role } from "./Credentials.ts"

export const ClientInfo = Schema.Struct({ ...clientInfoFields, role: Role }).annotations({
  identifier: "ClientInfo"
})
