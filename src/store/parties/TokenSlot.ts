/** The tokens of a party, and the slots in which they stand. */
import type { Redacted } from "effect"

/**
 * Where a token stands in a party. `outbound`: the party sends it to the partner (Token A, then C or B). `issued`: the
 * partner sends it to the party. `pending`: issued and already accepted, while the exchange that hands it over is
 * unfinished; `previous`: still accepted while a rotation is open. `returned`: a token that the partner itself issued, to
 * recognise a caller who sends it; Token A opens version information while our registration is open, because some
 * partners call back with it. `dead`: the last token that the partner used and that is no longer accepted, to recognise a
 * caller who still sends it.
 */
export type TokenSlot = "outbound" | LookupSlot

/** Slots whose token authorises a request. */
export const acceptedSlots = ["issued", "pending", "previous"] as const
/** Slots whose token only identifies the caller. */
export const recognisedSlots = ["returned", "dead"] as const
/** Slots whose token an inbound request can carry. */
export const lookupSlots = [...acceptedSlots, ...recognisedSlots] as const
/** A slot of `lookupSlots`. */
export type LookupSlot = (typeof lookupSlots)[number]

/** A token and its name in OCPI's credentials module (CREDENTIALS_TOKEN_A, B or C). */
export interface NamedToken {
  readonly name: "tokenA" | "tokenB" | "tokenC"
  readonly value: Redacted.Redacted<string>
}

/** A token and the slot that holds it. */
export interface PartyToken extends NamedToken {
  readonly slot: TokenSlot
}

/** The new token of a slot; null empties it. */
export interface TokenChange {
  readonly slot: TokenSlot
  readonly token: NamedToken | null
}

/** A party's tokens by slot, and as `PartyStore.secrets`. */
export interface Keyring {
  readonly tokens: ReadonlyArray<PartyToken>
  readonly secrets: ReadonlyArray<NamedToken>
}
