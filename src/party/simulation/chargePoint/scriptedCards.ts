/**
 * Scripted cards: what a card asks of a simulated charge point, by the number printed on it (`visual_number`). A journey
 * that needs a person at the charge point tells that person by this text, and a sandbox CPO does it by itself. Other
 * parties ignore it.
 */

import type { JsonObject } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"

/** The texts of `visual_number` that a sandbox CPO obeys. */
export const cardWishes = {
  /** The driver never plugs in, so a START_SESSION ends as TIMEOUT. */
  unplugged: "PLUGFEST UNPLUGGED",
  /** A driver shows the card as soon as the CPO has it, charges for a while, and shows it again. */
  shown: "PLUGFEST SHOWN",
  /** The CPO credits the CDR of the card's charge. */
  credited: "PLUGFEST CREDITED",
  /** While the card charges, the connector's tariff changes. */
  repriced: "PLUGFEST REPRICED",
  /** Updates of the card's session are sent by PUT of the whole session. */
  whole: "PLUGFEST WHOLE"
} as const

/** A key of `cardWishes`. */
type CardWish = keyof typeof cardWishes

/** The token's wish; undefined when it has none, or the party is no sandbox CPO. */
export const cardWishOf = (party: Party, token: JsonObject): CardWish | undefined =>
  party.kind === "sandbox" && party.role === "CPO"
    ? Object.entries(cardWishes).flatMap(([wish, number]) =>
        number === token["visual_number"] ? [wish as CardWish] : []
      )[0]
    : undefined

/** Does the token have that wish, and is the party a sandbox CPO? */
export const wishes = (party: Party, token: JsonObject, wish: CardWish): boolean =>
  cardWishOf(party, token) === wish
