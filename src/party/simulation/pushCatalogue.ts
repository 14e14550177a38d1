/** What a party pushes to a counterpart that has just registered: a CPO its tariffs and locations, an EMSP its tokens. */
import { Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { textIn } from "../../findings/json.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { freshUuid } from "../wire/messageId.ts"
import { defaultTokenType } from "../wire/tokenKey.ts"
import { keepOwn, ownObject, ownPath } from "./chargePoint/chargePoint.ts"
import { activityModule } from "./engine/activity.ts"
import type { Engine, Simulated } from "./engine/Engine.ts"
import { push } from "./engine/pushes.ts"

/** Tariffs before the locations that refer to them. */
const catalogues: Readonly<Record<Role, ReadonlyArray<readonly [module: string, operation: string]>>> = {
  CPO: [
    ["tariffs", "PUT tariff"],
    ["locations", "PUT location"]
  ],
  EMSP: [["tokens", "PUT token"]]
}

/**
 * The pause before the first object: the answer to the registration must arrive first, and the counterpart needs time to
 * store it.
 */
const settleMillis = 1_000
/** The pause between two objects. */
const paceMillis = 50
/** The most objects of a module that are pushed; the counterpart has to pull the others. */
const mostTold = 500

/** The engine's key of this work. */
export const catalogueKey = (id: PartyId): string => `${id}/catalogue`

/**
 * PUTs each object once per registration, one after the other, if the counterpart offers the module. Ends early when the
 * registration ends; after an interruption it starts again.
 */
export const pushCatalogue = Effect.fnUntraced(function* (
  engine: Engine,
  id: PartyId
): Effect.fn.Return<void, never, Simulated> {
  const store = yield* PartyStore
  const party = Option.getOrUndefined(yield* store.find(id))
  if (party?.registration !== "registered") return
  const { registeredAt } = party
  const told = yield* ownObject(party, activityModule, "catalogue")
  if (Option.isSome(told) && told.value["registeredAt"] === registeredAt) return
  const correlationId = yield* freshUuid
  yield* engine.sleep(catalogueKey(id), settleMillis)
  for (const [module, operation] of catalogues[party.role]) {
    if (!party.counterpart.endpoints.some(({ identifier }) => identifier === module)) continue
    const { items } = yield* store.objects(id, module, "own", { offset: 0, limit: mostTold })
    for (const { key } of items) {
      yield* engine.sleep(catalogueKey(id), paceMillis)
      // Read again: an EVSE may have changed meanwhile.
      const object = yield* store.object(id, module, "own", key)
      if (Option.isNone(object)) continue
      const { json } = object.value
      yield* push(
        party,
        { module, operation, method: "PUT", body: json },
        { path: [...ownPath(party), key], ...typeQuery(party, module, json["type"]) },
        correlationId
      )
    }
  }
  yield* keepOwn(party, activityModule, "catalogue", { registeredAt })
})

/** In versions that identify tokens by their type too, the URL names a type other than the default. */
function typeQuery(party: Party, module: string, type: unknown) {
  const isNamed = module === "tokens" && profileOf(party.version).tokenTypeInUrl && type !== defaultTokenType
  return isNamed ? { query: { type: textIn(type) ?? defaultTokenType } } : {}
}
