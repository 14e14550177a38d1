/** What a party reads at a counterpart that it has just registered with. */
import { Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { keepOwn, ownObject } from "./chargePoint/chargePoint.ts"
import { activityModule } from "./engine/activity.ts"
import type { Engine, Simulated } from "./engine/Engine.ts"
import { readLists } from "./engine/readLists.ts"

/** The pause after a registration, while other messages are exchanged. */
const settleMillis = 2_000
/** The `limit` of the first request: small, so that most lists have several pages. */
const pageSize = "3"

/** The engine's key of this work. */
export const firstReadKey = (id: PartyId): string => `${id}/first-read`

/** Reads all of those lists, once per registration. */
export const readAtFirst = Effect.fnUntraced(function* (
  engine: Engine,
  id: PartyId
): Effect.fn.Return<void, never, Simulated> {
  yield* engine.sleep(firstReadKey(id), settleMillis)
  const party = Option.getOrUndefined(yield* Effect.flatMap(PartyStore, (store) => store.find(id)))
  if (party?.registration !== "registered") return
  const { registeredAt } = party
  const read = yield* ownObject(party, activityModule, "read")
  if (Option.isSome(read) && read.value["registeredAt"] === registeredAt) return
  yield* readLists(party, { limit: pageSize })
  yield* keepOwn(party, activityModule, "read", { registeredAt })
})
