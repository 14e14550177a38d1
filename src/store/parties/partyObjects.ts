/** The OCPI objects of parties, in Postgres. */
import { Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { Database } from "../../database/Database.ts"
import { retried } from "../../database/retry.ts"
import { isId, storable } from "../../database/storable.ts"
import { traced } from "../../telemetry/traced.ts"
import type { PartyCache } from "./PartyCache.ts"
import { expectedResults, type PartyObject, type PartyStore, simulatedModules } from "./PartyStore.ts"
import { foldKey, keptOf, millisOf, type ObjectRow, objectOf } from "./partyRows.ts"
import { putObjects, valuesOf } from "./putObjects.ts"
import { readObjects } from "./readObjects.ts"
import { type ObjectPlace, outdated, type Searched } from "./scrubbedParties.ts"

type Page = Parameters<PartyStore["Type"]["objects"]>[3]

/** The methods of `PartyStore` on objects, with what their texts were searched for. Each reading of an object is a look at its party. */
export const partyObjects = (
  { pool, query }: Pick<Database["Type"], "pool" | "query">,
  { seen }: Pick<PartyCache["Type"], "seen">
) => {
  const put = putObjects(pool)
  const read = readObjects(pool, seen)
  const putObject = (
    id: PartyId,
    object: PartyObject,
    { tokenVersion }: Searched,
    revision: number | null
  ) =>
    !isId(id) || tokenVersion === null
      ? Effect.succeed({ created: false })
      : retried(put({ id, object, tokenVersion, revision }))

  // A retry may run this statement twice: a row that already equals the new object word for word counts as replaced.
  const replaceObject = Effect.fnUntraced(function* (
    id: PartyId,
    object: PartyObject,
    revision: string | null,
    { tokenVersion }: Searched
  ) {
    if (!isId(id) || tokenVersion === null) return true
    const rows = yield* query<{ readonly searched: boolean; readonly done: boolean }>(
      revision === null
        ? {
            name: "party_object_add",
            text: `WITH added AS (
                     INSERT INTO party_object (party_id, module, side, folded_key, key, json, last_updated, updated_millis)
                     SELECT id, $2, $3, $4, $5, $6::text::json, $7, $8 FROM party WHERE id = $1 AND token_version = $9
                     ON CONFLICT DO NOTHING RETURNING 1
                   )
                   SELECT token_version = $9 AS searched, EXISTS (SELECT FROM added)
                     OR EXISTS (SELECT FROM party_object WHERE ${atPlace} AND json::text = $6::text) AS done
                   FROM party WHERE id = $1`,
            values: [...valuesOf(id, object), tokenVersion]
          }
        : {
            name: "party_object_replace",
            text: `WITH replaced AS (
                     UPDATE party_object SET key = $5, json = $6::text::json, last_updated = $7, updated_millis = $8
                     FROM party WHERE ${atPlace} AND (party_object.xmin::text = $9 OR json::text = $6::text)
                       AND id = party_id AND token_version = $10 RETURNING 1
                   )
                   SELECT token_version = $10 AS searched, EXISTS (SELECT FROM replaced) AS done
                   FROM party WHERE id = $1`,
            values: [...valuesOf(id, object), revision, tokenVersion]
          }
    )
    const [row] = rows
    return row?.searched === false ? outdated : row === undefined || row.done
  })

  const object = Effect.fnUntraced(function* (
    id: PartyId,
    { key, module, side }: ObjectPlace,
    { tokenVersion }: Searched
  ) {
    if (!isId(id) || tokenVersion === null) return Option.none()
    const row = yield* retried(read({ id, module: storable(module), side, foldedKey: foldKey(key) }))
    if (row === undefined) return Option.none()
    if (row.now !== tokenVersion) return outdated
    return row.key === null ? Option.none() : Option.some(keptOf(module, side, { ...row, key: row.key }))
  })

  const expecting = traced("PartyStore.expecting")(function* (key: string) {
    const rows = yield* query<{ readonly party_id: PartyId }>({
      name: "party_object_expecting",
      // The condition must equal the index's word for word, or Postgres does not use the index.
      text: `SELECT party_id FROM party_object
             WHERE side = 'own' AND module = '${expectedResults}' AND folded_key = $1 LIMIT 1`,
      values: [foldKey(key)]
    })
    return Option.map(Option.fromNullable(rows[0]), ({ party_id }) => party_id)
  })

  const removeObject = Effect.fnUntraced(function* (
    id: PartyId,
    { key, module, side }: ObjectPlace,
    { tokenVersion }: Searched
  ) {
    if (!isId(id) || tokenVersion === null) return false
    const [row] = yield* query<{ readonly searched: boolean; readonly done: boolean }>({
      name: "party_object_remove",
      text: `WITH gone AS (
               DELETE FROM party_object USING party
               WHERE ${atPlace} AND id = party_id AND token_version = $5 RETURNING 1
             )
             SELECT token_version = $5 AS searched, EXISTS (SELECT FROM gone) AS done FROM party WHERE id = $1`,
      values: [id, storable(module), side, foldKey(key), tokenVersion]
    })
    return row?.searched === false ? outdated : row?.done === true
  })

  const objects = Effect.fnUntraced(function* (
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
    const isByCreation = page.order === "created"
    const rows = yield* query<
      Omit<ObjectRow, "key"> & { readonly key: string | null; readonly total: number }
    >({
      name: isByCreation ? "party_objects_by_creation" : "party_objects",
      // A row in any case, for the total.
      text: `SELECT total, key, json, last_updated
             FROM (SELECT count(*) AS total FROM party_object WHERE ${inPage}) counted
             LEFT JOIN LATERAL (
               SELECT key, json, last_updated FROM party_object WHERE ${inPage}
               ORDER BY ${isByCreation ? "created" : "updated_millis, folded_key"} OFFSET $6 LIMIT $7
             ) page ON true`,
      values: [...wanted, page.offset, page.limit]
    })
    return {
      items: rows.flatMap(({ key, ...row }) =>
        key === null ? [] : [objectOf(module, side, { ...row, key })]
      ),
      total: rows[0]?.total ?? 0
    }
  })

  const receivedAs = Effect.fnUntraced(function* (id: PartyId, module: string, objectId: string) {
    if (!isId(id)) return []
    const rows = yield* query<ObjectRow>({
      name: "party_objects_received_as",
      text: `SELECT key, json, last_updated FROM party_object
             WHERE party_id = $1 AND module = $2 AND side = 'received' AND right(folded_key, length($3)) = $3
             ORDER BY updated_millis, folded_key`,
      values: [id, storable(module), `/${foldKey(objectId)}`]
    })
    return rows.map((row) => objectOf(module, "received", row))
  })

  const leftBehind = traced("PartyStore.leftBehind")(function* (living: ReadonlySet<string>) {
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

  return { putObject, replaceObject, object, expecting, removeObject, objects, receivedAs, leftBehind }
}

const atPlace = "party_id = $1 AND module = $2 AND side = $3 AND folded_key = $4"

const inPage = `party_id = $1 AND module = $2 AND side = $3
  AND ($4::bigint IS NULL OR updated_millis >= $4) AND ($5::bigint IS NULL OR updated_millis < $5)`
