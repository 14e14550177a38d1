/**
 * What a card asks of a simulated charge point, by the number that is printed on it (`visual_number`). A journey that
 * needs somebody at the charge point says it so, and a sandbox CPO needs nobody. Nobody else heeds them.
 */
import type { Party } from "../../store/PartyStore.ts"
import type { JsonObject } from "../json.ts"

/**
 * `unplugged`: the driver never plugs in, so a START_SESSION ends as TIMEOUT. `shown`: a driver shows the card as soon as
 * it is known, charges for a while, and shows it again. `credited`: the CDR of what the card has charged is taken back.
 */
export const cardWishes = {
  unplugged: "PLUGFEST UNPLUGGED",
  shown: "PLUGFEST SHOWN",
  credited: "PLUGFEST CREDITED"
} as const

export type CardWish = keyof typeof cardWishes

/** Does the token carry that wish, and is the party one that heeds it? */
export const wishes = (party: Party, token: JsonObject, wish: CardWish): boolean =>
  party.kind === "sandbox" && party.role === "CPO" && token["visual_number"] === cardWishes[wish]
