/** What a party tells a counterpart that has just registered: a CPO its tariffs and locations, an EMSP its tokens. */
import { Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { textIn } from "../../findings/json.ts"
import { type Party, PartyStore } from "../../store/parties/PartyStore.ts"
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

/** Before the first object: the answer to the registration goes first, and the counterpart needs time to keep it. */
const settleMillis = 1_000
/** Between two objects. */
const paceMillis = 50
/** More objects of a module than these are left for the counterpart to pull. */
const mostTold = 500

export const catalogueKey = (id: PartyId): string => `${id}/catalogue`

/**
 * PUTs each object once in a registration, one after the other, wherever the counterpart takes the module. Ends early
 * when the registration does; broken off, it begins anew.
 */
export const tellCatalogue = (engine: Engine, id: PartyId): Effect.Effect<void, never, Simulated> =>
  Effect.gen(function* () {
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
        // As it is by now: an EVSE may have changed meanwhile.
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

/** Where the version tells tokens apart by their type, the URL names the type that does not go without saying. */
function typeQuery(party: Party, module: string, type: unknown) {
  const isNamed = module === "tokens" && profileOf(party.version).tokenTypeInUrl && type !== defaultTokenType
  return isNamed ? { query: { type: textIn(type) ?? defaultTokenType } } : {}
}
