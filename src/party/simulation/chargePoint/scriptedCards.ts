/**
 * What a card asks of a simulated charge point, by the number that is printed on it (`visual_number`). A journey that
 * needs somebody at the charge point says it so, and a sandbox CPO needs nobody. Nobody else heeds them.
 */

import type { JsonObject } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/PartyStore.ts"

export const cardWishes = {
  /** The driver never plugs in, so a START_SESSION ends as TIMEOUT. */
  unplugged: "PLUGFEST UNPLUGGED",
  /** A driver shows the card as soon as it is known, charges for a while, and shows it again. */
  shown: "PLUGFEST SHOWN",
  /** The CDR of what the card has charged is taken back. */
  credited: "PLUGFEST CREDITED",
  /** While the card charges, its connector gets another tariff. */
  repriced: "PLUGFEST REPRICED",
  /** Updates of the session that the card has begun are told by PUT of the whole session. */
  whole: "PLUGFEST WHOLE"
} as const

export type CardWish = keyof typeof cardWishes

/** The wish that the token carries, if any, and if the party is one that heeds it. */
export const wishOf = (party: Party, token: JsonObject): CardWish | undefined =>
  party.kind === "sandbox" && party.role === "CPO"
    ? Object.entries(cardWishes).flatMap(([wish, number]) =>
        number === token["visual_number"] ? [wish as CardWish] : []
      )[0]
    : undefined

/** Does the token carry that wish, and is the party one that heeds it? */
export const wishes = (party: Party, token: JsonObject, wish: CardWish): boolean =>
  wishOf(party, token) === wish
