/** Changes the tariff of one of our connectors: to prices a quarter higher, or back. */
import { Effect } from "effect"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn, sameId } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import type { Engine, Simulated } from "../engine/Engine.ts"
import { push } from "../engine/pushes.ts"
import { keepOwn, ownObject, ownPath } from "./chargePoint.ts"
import type { PlaceIds } from "./sessionFields.ts"

/** `when`: an OCPI DateTime. */
interface Occasion {
  readonly when: string
  readonly correlationId: string
}

const dearerBy = 1.25
/** The suffix of the more expensive tariff's id. */
const dearerMark = "-UP"

/** The tariff of a connector, and the ids of that connector. */
interface NamedTariff {
  readonly tariff: JsonObject
  readonly ids: PlaceIds
}

/** Stores and pushes first the tariff, then the connector that names it. Changed twice, the connector is as before. */
export const changeTariff = Effect.fnUntraced(function* (
  engine: Engine,
  party: Party,
  { ids, tariff }: NamedTariff,
  occasion: Occasion
): Effect.fn.Return<void, never, Simulated> {
  const { correlationId, when } = occasion
  const next: JsonObject = { ...otherThan(tariff), last_updated: when }
  const id = String(next["id"])
  yield* keepOwn(party, "tariffs", id, next)
  yield* push(
    party,
    { module: "tariffs", operation: "PUT tariff", method: "PUT", body: next },
    { path: [...ownPath(party), id] },
    correlationId
  )
  yield* engine.exclusively(party.id, setTariff(party, ids, id, when))
  yield* tellTariff(party, ids, id, occasion)
})

/** Prices with four decimals, so that two changes restore them exactly. */
function otherThan(tariff: JsonObject): JsonObject {
  const id = String(tariff["id"])
  const isDearer = id.endsWith(dearerMark)
  const factor = isDearer ? 1 / dearerBy : dearerBy
  return {
    ...tariff,
    id: isDearer ? id.slice(0, -dearerMark.length) : `${id}${dearerMark}`,
    elements: objectsIn(tariff["elements"]).map((element) => ({
      ...element,
      price_components: objectsIn(element["price_components"]).map((component) => ({
        ...component,
        price: Math.round(Number(component["price"]) * factor * 10_000) / 10_000
      }))
    }))
  }
}

/** The field of the connector that names its tariff: one id, or a list. */
const named = (party: Party, id: string): JsonObject => {
  const { tariffs } = profileOf(party.version).connectorNames
  return { [tariffs]: tariffs === "tariff_ids" ? [id] : id }
}

const setTariff = Effect.fnUntraced(function* (party: Party, ids: PlaceIds, id: string, when: string) {
  const location = yield* ownObject(party, "locations", ids.location)
  if (location._tag === "None") return
  const changed = { last_updated: when }
  const evses = objectsIn(location.value["evses"]).map((evse) => {
    if (!sameId(evse["uid"], ids.evse)) return evse
    const connectors = objectsIn(evse["connectors"]).map((connector) =>
      sameId(connector["id"], ids.connector) ? { ...connector, ...named(party, id), ...changed } : connector
    )
    return { ...evse, connectors, ...changed }
  })
  yield* keepOwn(party, "locations", String(location.value["id"]), { ...location.value, evses, ...changed })
})

/** PATCHes the connector; a counterpart without it gets the location. */
function tellTariff(party: Party, ids: PlaceIds, id: string, { correlationId, when }: Occasion) {
  const key = String(ids.location)
  const path = [...ownPath(party), key]
  return push(
    party,
    {
      module: "locations",
      operation: "PATCH connector",
      method: "PATCH",
      body: { ...named(party, id), last_updated: when }
    },
    {
      path: [...path, String(ids.evse), String(ids.connector)],
      whole: { key, operation: "PUT location", path }
    },
    correlationId
  )
}
