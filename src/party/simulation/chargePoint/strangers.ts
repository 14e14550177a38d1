/**
 * Two sandbox partners of one owner with one role are one operator at which two counterparts are registered. An honest one
 * keeps them apart; with a quirk, it takes a command of the one about what belongs to the other.
 */
import { Effect, Option } from "effect"
import type { JsonObject } from "../../../findings/json.ts"
import { type Party, PartyStore } from "../../../store/parties/PartyStore.ts"
import { hasQuirk, PartnerQuirks, type Quirk } from "../../wire/PartnerQuirks.ts"
import { ownObject } from "./chargePoint.ts"

/** An object of a party's own, and whose it is. */
export interface Held {
  readonly holder: Party
  readonly json: JsonObject
}

const heldBy = (holder: Party, module: string, key: unknown) =>
  Effect.map(
    ownObject(holder, module, key),
    Option.match({ onNone: () => [], onSome: (json): ReadonlyArray<Held> => [{ holder, json }] })
  )

/** What the party has under that key, first; then, where it or the other one has the quirk, what the others have. */
export const heldAnywhere = Effect.fn("simulation.heldAnywhere")(function* (
  party: Party,
  quirk: Quirk,
  module: string,
  key: unknown
) {
  const own = yield* heldBy(party, module, key)
  if (party.kind !== "sandbox") return own
  const store = yield* PartyStore
  const quirks = yield* PartnerQuirks
  const others = (yield* store.sandboxes(party.ownerId)).filter(
    (other) =>
      other.id !== party.id &&
      other.role === party.role &&
      other.version === party.version &&
      (hasQuirk(quirks, party, quirk) || hasQuirk(quirks, other, quirk))
  )
  const theirs = yield* Effect.forEach(others, (other) => heldBy(other, module, key))
  return [...own, ...theirs.flat()]
})
