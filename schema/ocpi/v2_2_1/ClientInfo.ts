/** OCPI 2.2.1, document `mod_hub_client_info`. */
import { Schema } from "effect"
import { CountryCode, PartyCode } from "../types.ts"
import { Role } from "./Credentials.ts"
import { DateTime } from "./DateTime.ts"

/** ConnectionStatus enum (mod_hub_client_info): of a party at a hub; not the `ConnectionStatus` of our API. */
const ConnectionStatus = Schema.Literal("CONNECTED", "OFFLINE", "PLANNED", "SUSPENDED").annotations({
  identifier: "OcpiConnectionStatus"
})

/** Fields of the ClientInfo object; 2.3.0 spreads them. */
export const clientInfoFields = {
  party_id: PartyCode,
  country_code: CountryCode,
  role: Role,
  status: ConnectionStatus,
  last_updated: DateTime
}

/** ClientInfo object (mod_hub_client_info), in 2.2 and 2.2.1. */
export const ClientInfo = Schema.Struct(clientInfoFields).annotations({ identifier: "ClientInfo" })
