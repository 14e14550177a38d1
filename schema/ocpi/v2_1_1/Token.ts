/** OCPI 2.1.1, document `mod_tokens`. */

import { Schema } from "effect"
import { without } from "../enums.ts"
import { personal } from "../personal.ts"
import { asciiString, bool, ciId, Language, list, optional } from "../types.ts"
import { AllowedType, TokenType as NewerTokenType, WhitelistType } from "../v2_2_1/Token.ts"
import { DateTime } from "./DateTime.ts"
import { DisplayText } from "./DisplayText.ts"

/** TokenType enum (mod_tokens): `OTHER` and `RFID`. */
const TokenType = without(NewerTokenType, "AD_HOC_USER", "APP_USER").annotations({
  identifier: "TokenType"
})

/** Token object (mod_tokens): the contract is in `auth_id`, called `contract_id` from 2.2 on; no owner fields. */
export const Token = Schema.Struct({
  uid: personal("token")(ciId(36)),
  type: TokenType,
  auth_id: personal("contract")(ciId(36)),
  visual_number: optional(personal("card")(asciiString(64))),
  issuer: asciiString(64),
  valid: bool,
  whitelist: WhitelistType,
  language: optional(Language),
  last_updated: DateTime
}).annotations({ identifier: "Token" })

/** LocationReferences class (mod_tokens); only here with `connector_ids`. */
export const LocationReferences = Schema.Struct({
  location_id: ciId(39),
  evse_uids: list(ciId(39)),
  connector_ids: list(ciId(36))
}).annotations({ identifier: "LocationReferences" })

/** AuthorizationInfo object (mod_tokens): does not repeat the token and has no `authorization_reference`. */
export const AuthorizationInfo = Schema.Struct({
  allowed: AllowedType,
  location: optional(LocationReferences),
  info: optional(DisplayText)
}).annotations({ identifier: "AuthorizationInfo" })
