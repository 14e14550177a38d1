/** OCPI 2.2.1, document `mod_tokens`. */

import { Schema } from "effect"
import { personal } from "../personal.ts"
import {
  bool,
  CountryCode,
  ciId,
  ciString,
  DisplayText,
  Language,
  list,
  ocpiString,
  optional,
  PartyCode
} from "../types.ts"
import { DateTime } from "./DateTime.ts"

/** TokenType enum (mod_tokens), from 2.2 on; open in 2.3.0. */
export const TokenType = Schema.Literal("AD_HOC_USER", "APP_USER", "OTHER", "RFID").annotations({
  identifier: "TokenType"
})

/** WhitelistType enum (mod_tokens): whether the CPO may authorize by its stored list or must ask the EMSP. */
export const WhitelistType = Schema.Literal("ALWAYS", "ALLOWED", "ALLOWED_OFFLINE", "NEVER").annotations({
  identifier: "WhitelistType"
})

/** AllowedType enum (mod_tokens): the result of a real-time authorization. */
export const AllowedType = Schema.Literal(
  "ALLOWED",
  "BLOCKED",
  "EXPIRED",
  "NO_CREDIT",
  "NOT_ALLOWED"
).annotations({
  identifier: "AllowedType"
})

/** ProfileType enum (mod_sessions): what the driver prefers; also a field of the Token. */
export const ProfileType = Schema.Literal("CHEAP", "FAST", "GREEN", "REGULAR").annotations({
  identifier: "ProfileType"
})

/** EnergyContract class (mod_tokens): the driver's own energy supplier. */
const EnergyContract = Schema.Struct({
  supplier_name: ocpiString(64),
  contract_id: optional(personal("contract")(ocpiString(64)))
}).annotations({ identifier: "EnergyContract" })

/** Fields of the Token object; 2.3.0 spreads them. */
export const tokenFields = {
  country_code: CountryCode,
  party_id: PartyCode,
  uid: personal("token")(ciId(36)),
  type: TokenType,
  contract_id: personal("contract")(ciId(36)),
  visual_number: optional(personal("card")(ocpiString(64))),
  issuer: ocpiString(64),
  group_id: optional(personal("group")(ciString(36))),
  valid: bool,
  whitelist: WhitelistType,
  language: optional(Language),
  default_profile_type: optional(ProfileType),
  energy_contract: optional(EnergyContract),
  last_updated: DateTime
}

/** Token object (mod_tokens), in 2.2 and 2.2.1. */
export const Token = Schema.Struct(tokenFields).annotations({ identifier: "Token" })

/** Fields of the LocationReferences class. */
const locationReferencesFields = { location_id: ciId(36), evse_uids: list(ciId(36)) }

/** LocationReferences class (mod_tokens), from 2.2 on without `connector_ids`. */
export const LocationReferences = Schema.Struct(locationReferencesFields).annotations({
  identifier: "LocationReferences"
})

/** Fields of the AuthorizationInfo object; 2.3.0 spreads them. */
export const authorizationInfoFields = {
  allowed: AllowedType,
  token: Token,
  location: optional(LocationReferences),
  authorization_reference: optional(ciString(36)),
  info: optional(DisplayText)
}

/** AuthorizationInfo object (mod_tokens): the answer to a real-time authorization; from 2.2 on it holds the token. */
export const AuthorizationInfo = Schema.Struct(authorizationInfoFields).annotations({
  identifier: "AuthorizationInfo"
})
