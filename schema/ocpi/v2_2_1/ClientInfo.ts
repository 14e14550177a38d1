/** Document `mod_hub_client_info`: who is connected to a hub. */
import { Schema } from "effect"
import { CountryCode, PartyCode } from "../types.ts"
import { Role } from "./Credentials.ts"
import { DateTime } from "./DateTime.ts"

export const ConnectionStatus = Schema.Literal("CONNECTED", "OFFLINE", "PLANNED", "SUSPENDED").annotations({
  identifier: "OcpiConnectionStatus"
})

export const clientInfoFields = {
  party_id: PartyCode,
  country_code: CountryCode,
  role: Role,
  status: ConnectionStatus,
  last_updated: DateTime
}
export const ClientInfo = Schema.Struct(clientInfoFields).annotations({ identifier: "ClientInfo" })
export type ClientInfo = typeof ClientInfo.Type
