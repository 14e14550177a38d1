/**
 * Sandbox partners of one owner with one role count as one operator at which several counterparts are registered. An
 * honest one keeps them apart; with a quirk it accepts one counterpart's command about another's objects.
 */
import { Effect, Option } from "effect"
import type { JsonObject } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { hasQuirk, PartnerQuirks, type Quirk } from "../../wire/PartnerQuirks.ts"
import { ownObject } from "./chargePoint.ts"

/** An own object of a party, and that party. */
interface Held {
  readonly holder: Party
  readonly json: JsonObject
}

const heldBy = (holder: Party, module: string, key: unknown) =>
  Effect.map(
    ownObject(holder, module, key),
    Option.match({ onNone: () => [], onSome: (json): ReadonlyArray<Held> => [{ holder, json }] })
  )

/** The party's own object with that key, then, if it or the other party has the quirk, those of other parties. */
export const heldAnywhere = traced("simulation.heldAnywhere")(function* (
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
