/**
 * Test cards, which drivers show at the charge points of a CPO under test. The uid alone says which card it is and how we
 * answer for it, so nothing is stored.
 */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../findings/json.ts"
import type { Party } from "../../store/parties/Party.ts"
import { defaultTokenType } from "../wire/tokenKey.ts"

/**
 * The fields of each card's Token. We allow each card when asked; for `OFFLINE` we answer as if we were away, and
 * `UNKNOWN` is never sent to the CPO.
 */
const cards = {
  NEVER: { whitelist: "NEVER", valid: true },
  ALWAYS: { whitelist: "ALWAYS", valid: true },
  INVALID: { whitelist: "NEVER", valid: false },
  OFFLINE: { whitelist: "ALLOWED_OFFLINE", valid: true },
  UNKNOWN: { whitelist: "NEVER", valid: true }
} as const

/** The kind of a test card, the last part of its uid. */
export type CardName = keyof typeof cards

/** The uid begins with the mark of a run: `TST-` and six characters. */
const cardUid = /^(TST-[0-9A-Z]{6})-CARD-([A-Z]+)$/

/** A test card: its kind, and the mark of its run. */
interface TestCard {
  readonly mark: string
  readonly name: CardName
}

/** The card as a Token object of the version. `lastUpdated`: an OCPI DateTime. */
export const testCard = (
  profile: VersionProfile,
  { identity }: Pick<Party, "identity">,
  { mark, name }: TestCard,
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

/** The card with that uid, and the mark of its run; only our own side of a connection has such cards. */
export const cardOf = ({ kind }: Pick<Party, "kind">, uid: string): TestCard | undefined => {
  const [, mark, name] = cardUid.exec(uid.toUpperCase()) ?? []
  return kind === "connection" && mark !== undefined && name !== undefined && name in cards
    ? { mark, name: name as CardName } // a key of `cards`, tested above
    : undefined
}
