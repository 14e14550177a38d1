/**
 * Cards of ours that drivers show at the charge points of a CPO that is tested. Their uid alone says what they are and how
 * we answer about them, so nothing has to be kept, and nothing is left behind.
 */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../findings/json.ts"
import type { Party } from "../../store/parties/PartyStore.ts"
import { defaultTokenType } from "../wire/tokenKey.ts"

/**
 * As the CPO is told of them. We allow each of them when we are asked; about `OFFLINE` we answer as if we were away, and of
 * `UNKNOWN` the CPO is told nothing.
 */
const cards = {
  NEVER: { whitelist: "NEVER", valid: true },
  ALWAYS: { whitelist: "ALWAYS", valid: true },
  INVALID: { whitelist: "NEVER", valid: false },
  OFFLINE: { whitelist: "ALLOWED_OFFLINE", valid: true },
  UNKNOWN: { whitelist: "NEVER", valid: true }
} as const

export type CardName = keyof typeof cards

/** Its uid begins with the mark of a run: `TST-` and six characters. */
const cardUid = /^(TST-[0-9A-Z]{6})-CARD-([A-Z]+)$/

/** The card as a Token of the version. `lastUpdated`: an OCPI DateTime. */
export const testCard = (
  profile: VersionProfile,
  { identity }: Pick<Party, "identity">,
  mark: string,
  name: CardName,
  lastUpdated: string
): JsonObject => ({
  ...(profile.ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}),
  uid: `${mark}-CARD-${name}`,
  type: defaultTokenType,
  [profile.contract]: `${identity.countryCode}-${identity.partyId}-${mark.slice(-6)}${name}`,
  issuer: identity.name,
  ...cards[name],
  last_updated: lastUpdated
})

/** Which card of which run has that uid; only our own side of a connection has such cards. */
export const cardOf = (
  { kind }: Pick<Party, "kind">,
  uid: string
): { readonly mark: string; readonly name: CardName } | undefined => {
  const [, mark, name] = cardUid.exec(uid.toUpperCase()) ?? []
  return kind === "connection" && mark !== undefined && name !== undefined && name in cards
    ? { mark, name: name as CardName } // a key of the cards
    : undefined
}
