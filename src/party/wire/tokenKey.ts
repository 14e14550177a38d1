import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"

/** What a token's type is where nobody says. */
export const defaultTokenType = "RFID"

/**
 * Where a received token stands, `path` being `{country}/{party}/{uid}`. A token is known by uid and type together, where
 * the version's URL can say so; RFID goes without saying. Elsewhere its uid is all that there is.
 */
export const tokenKey = ({ tokenTypeInUrl }: VersionProfile, path: string, type: string): string =>
  !tokenTypeInUrl || type === defaultTokenType ? path : `${path}/${type}`
