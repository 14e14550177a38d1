/** Document `mod_tokens`: Token, AuthorizationInfo; kinds of tokens are open, and EMAID is a new one. */
import { Schema } from "effect"
import { openEnum } from "../enums.ts"
import { authorizationInfoFields, TokenType as Known, tokenFields } from "../v2_2_1/Token.ts"

export const TokenType = openEnum(Known, "EMAID")

export const Token = Schema.Struct({ ...tokenFields, type: TokenType }).annotations({ identifier: "Token" })

export const AuthorizationInfo = Schema.Struct({ ...authorizationInfoFields, token: Token }).annotations({
  identifier: "AuthorizationInfo"
})
