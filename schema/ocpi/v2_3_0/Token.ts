/** OCPI 2.3.0, document `mod_tokens`. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { authorizationInfoFields, TokenType as Known, tokenFields } from "../v2_2_1/Token.ts"

/** TokenType (mod_tokens), an OpenEnum from 2.3.0 on, which adds `EMAID`. */
export const TokenType = openEnum(Known, "EMAID")

/** Token object (mod_tokens): its type is open. */
export const Token = Schema.Struct({ ...tokenFields, type: TokenType }).annotations({ identifier: "Token" })

/** AuthorizationInfo object (mod_tokens): its Token has an open type. */
export const AuthorizationInfo = Schema.Struct({ ...authorizationInfoFields, token: Token }).annotations({
  identifier: "AuthorizationInfo"
})
