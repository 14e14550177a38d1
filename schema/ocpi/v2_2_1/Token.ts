/** Document `mod_tokens`: Token, LocationReferences, AuthorizationInfo. */

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

export const TokenType = Schema.Literal("AD_HOC_USER", "APP_USER", "OTHER", "RFID").annotations({
  identifier: "TokenType"
})

export const WhitelistType = Schema.Literal("ALWAYS", "ALLOWED", "ALLOWED_OFFLINE", "NEVER").annotations({
  identifier: "WhitelistType"
})

export const AllowedType = Schema.Literal(
  "ALLOWED",
  "BLOCKED",
  "EXPIRED",
  "NO_CREDIT",
  "NOT_ALLOWED"
).annotations({
  identifier: "AllowedType"
})

/** What the driver prefers; also in `mod_sessions`. */
export const ProfileType = Schema.Literal("CHEAP", "FAST", "GREEN", "REGULAR").annotations({
  identifier: "ProfileType"
})

export const EnergyContract = Schema.Struct({
  supplier_name: ocpiString(64),
  contract_id: optional(personal("contract")(ocpiString(64)))
}).annotations({ identifier: "EnergyContract" })

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
export const Token = Schema.Struct(tokenFields).annotations({ identifier: "Token" })
export type Token = typeof Token.Type

export const locationReferencesFields = { location_id: ciId(36), evse_uids: list(ciId(36)) }
export const LocationReferences = Schema.Struct(locationReferencesFields).annotations({
  identifier: "LocationReferences"
})
export type LocationReferences = typeof LocationReferences.Type

export const authorizationInfoFields = {
  allowed: AllowedType,
  token: Token,
  location: optional(LocationReferences),
  authorization_reference: optional(ciString(36)),
  info: optional(DisplayText)
}
export const AuthorizationInfo = Schema.Struct(authorizationInfoFields).annotations({
  identifier: "AuthorizationInfo"
})
export type AuthorizationInfo = typeof AuthorizationInfo.Type
