import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"

/** The type of a token that names none (mod_tokens, TokenType). */
export const defaultTokenType = "RFID"

/**
 * The key of a received token; `path` is `{country}/{party}/{uid}`. In versions whose URL has the token type, uid and
 * type together identify a token, and RFID is the default; in others the uid alone.
 */
export const tokenKey = ({ tokenTypeInUrl }: VersionProfile, path: string, type: string): string =>
  !tokenTypeInUrl || type === defaultTokenType ? path : `${path}/${type}`
