/** The OCPI objects of parties, in Postgres. */
import { Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { Query } from "../../database/statement.ts"
import { isId, storable } from "../../database/storable.ts"
import { expectedResults, type PartyObject, type PartyStore, simulatedModules } from "./PartyStore.ts"
import { foldKey, type KeptRow, keptOf, millisOf, type ObjectRow, objectOf } from "./partyRows.ts"

type Page = Parameters<PartyStore["Type"]["objects"]>[3]

/** The methods of `PartyStore` on objects. */
export const partyObjects = (query: Query) => {
  const putObject = Effect.fn("PartyStore.putObject")(function* (id: PartyId, object: PartyObject) {
    if (!isId(id)) return { created: false }
    const rows = yield* query<{ readonly created: boolean }>({
      name: "party_object_put",
      text: `INSERT INTO party_object (party_id, module, side, folded_key, key, json, last_updated, updated_millis)
             SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM party WHERE id = $1
             ON CONFLICT (party_id, module, side, folded_key) DO UPDATE SET key = excluded.key, json = excluded.json,
               last_updated = excluded.last_updated, updated_millis = excluded.updated_millis
             RETURNING xmax = 0 AS created`, // xmax is 0 in a row that was inserted, not updated
      values: valuesOf(id, object)
    })
    return { created: rows[0]?.created === true }
  })

  // A retry may run this statement twice: a row that already equals the new object word for word counts as replaced.
  const replaceObject = Effect.fn("PartyStore.replaceObject")(function* (
    id: PartyId,
    object: PartyObject,
    revision: string | null
  ) {
    if (!isId(id)) return true
    const rows = yield* query<{ readonly done: boolean }>(
      revision === null
        ? {
            name: "party_object_add",
            text: `WITH added AS (
                     INSERT INTO party_object (party_id, module, side, folded_key, key, json, last_updated, updated_millis)
                     SELECT id, $2, $3, $4, $5, $6::text::json, $7, $8 FROM party WHERE id = $1
                     ON CONFLICT DO NOTHING RETURNING 1
                   )
                   SELECT EXISTS (SELECT FROM added) OR NOT EXISTS (SELECT FROM party WHERE id = $1)
                     OR EXISTS (SELECT FROM party_object WHERE ${atPlace} AND json::text = $6::text) AS done`,
            values: valuesOf(id, object)
          }
        : {
            name: "party_object_replace",
            text: `UPDATE party_object SET key = $5, json = $6::text::json, last_updated = $7, updated_millis = $8
                   WHERE ${atPlace} AND (xmin::text = $9 OR json::text = $6::text) RETURNING true AS done`,
            values: [...valuesOf(id, object), revision]
          }
    )
    return rows[0]?.done === true
  })

  const object = Effect.fn("PartyStore.object")(function* (
    id: PartyId,
    module: string,
    side: PartyObject["side"],
    key: string
  ) {
    if (!isId(id)) return Option.none()
    const rows = yield* query<KeptRow>({
      name: "party_object",
      text: `SELECT key, json, last_updated, xmin::text AS revision FROM party_object WHERE ${atPlace}`,
      values: [id, storable(module), side, foldKey(key)]
    })
    return Option.map(Option.fromNullable(rows[0]), (row) => keptOf(module, side, row))
  })

  const expecting = Effect.fn("PartyStore.expecting")(function* (key: string) {
    const rows = yield* query<{ readonly party_id: PartyId }>({
      name: "party_object_expecting",
      // The condition must equal the index's word for word, or Postgres does not use the index.
      text: `SELECT party_id FROM party_object
             WHERE side = 'own' AND module = '${expectedResults}' AND folded_key = $1 LIMIT 1`,
      values: [foldKey(key)]
    })
    return Option.map(Option.fromNullable(rows[0]), ({ party_id }) => party_id)
  })

  const removeObject = Effect.fn("PartyStore.removeObject")(function* (
    id: PartyId,
    module: string,
    side: PartyObject["side"],
    key: string
  ) {
    if (!isId(id)) return false
    const rows = yield* query({
      text: `DELETE FROM party_object WHERE ${atPlace} RETURNING 1`,
      values: [id, storable(module), side, foldKey(key)]
    })
    return rows.length > 0
  })

  const objects = Effect.fn("PartyStore.objects")(function* (
    id: PartyId,
    module: string,
    side: PartyObject["side"],
    page: Page
  ) {
    if (!isId(id)) return { items: [], total: 0 }
    const wanted = [
      id,
      storable(module),
      side,
      page.from === undefined ? null : millisOf(page.from),
      page.to === undefined ? null : millisOf(page.to)
    ]
    const counted = yield* query<{ readonly total: number }>({
      name: "party_objects_count",
      text: `SELECT count(*) total FROM party_object WHERE ${inPage}`,
      values: wanted
    })
    const isByCreation = page.order === "created"
    const rows = yield* query<ObjectRow>({
      name: isByCreation ? "party_objects_by_creation" : "party_objects",
      text: `SELECT key, json, last_updated FROM party_object WHERE ${inPage}
             ORDER BY ${isByCreation ? "created" : "updated_millis, folded_key"} OFFSET $6 LIMIT $7`,
      values: [...wanted, page.offset, page.limit]
    })
    return { items: rows.map((row) => objectOf(module, side, row)), total: counted[0]?.total ?? 0 }
  })

  const leftBehind = Effect.fn("PartyStore.leftBehind")(function* (living: ReadonlySet<string>) {
    const rows = yield* query<{ readonly party_id: PartyId }>({
      name: "party_object_left_behind",
      // The condition must equal the index's word for word, or Postgres does not use the index.
      text: `SELECT DISTINCT party_id FROM party_object
             WHERE side = 'own' AND module IN (${simulatedModules.map((name) => `'${name}'`).join(", ")})
               AND (module <> 'activity' OR json->>'by' IS NOT NULL)
               AND NOT coalesce(json->>'by', '') = ANY($1)
             ORDER BY party_id`,
      values: [[...living]]
    })
    return rows.map(({ party_id }) => party_id)
  })

  return { putObject, replaceObject, object, expecting, removeObject, objects, leftBehind }
}

const atPlace = "party_id = $1 AND module = $2 AND side = $3 AND folded_key = $4"

const valuesOf = (id: PartyId, object: PartyObject) => [
  id,
  storable(object.module),
  object.side,
  foldKey(object.key),
  storable(object.key),
  JSON.stringify(object.json),
  storable(object.lastUpdated),
  millisOf(object.lastUpdated)
]

const inPage = `party_id = $1 AND module = $2 AND side = $3
  AND ($4::bigint IS NULL OR updated_millis >= $4) AND ($5::bigint IS NULL OR updated_millis < $5)`
