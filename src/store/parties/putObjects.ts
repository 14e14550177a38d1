/** Upserts of the OCPI objects of parties: those of concurrent calls in one statement. */
import type pg from "pg"
import type { PartyId } from "../../../schema/Ids.ts"
import { makeBatch } from "../../database/batches/batch.ts"
import { bigintArray, textArray } from "../../database/batches/binaryArrays.ts"
import { storable } from "../../database/storable.ts"
import type { PartyObject } from "./PartyStore.ts"
import { foldKey, millisOf } from "./partyRows.ts"
import { outdated } from "./scrubbedParties.ts"

/** An object to be put, and what must be so that it may be. */
interface Put {
  readonly id: PartyId
  readonly object: PartyObject
  /** The party must have these tokens. */
  readonly tokenVersion: number
  /** The party must have this revision; null: any. */
  readonly revision: number | null
}

/** The most objects in one statement. */
const together = 64

/** What became of a put; `outdated`: nothing, because the party is not as it must be. */
type Done = { readonly created: boolean } | typeof outdated

/** Upserts an object. */
export const putObjects = (pool: pg.Pool) =>
  makeBatch<Put, Done>({
    most: together,
    run: async (puts) => {
      const results: Array<Done> = []
      for (const group of inGroups(puts)) {
        const { rows } = await pool.query<PutRow>(group.length === 1 ? putOne(group[0]!) : putMany(group))
        const done = new Map(rows.map((row) => [placeOfRow(row), { created: row.created }]))
        results.push(...group.map((put) => done.get(placeOf(put)) ?? outdated))
      }
      return results
    }
  })

interface PutRow {
  readonly party_id: PartyId
  readonly module: string
  readonly side: PartyObject["side"]
  readonly folded_key: string
  readonly created: boolean
}

// No column holds a NUL.
const placeOfRow = ({ folded_key, module, party_id, side }: Omit<PutRow, "created">) =>
  [party_id, module, side, folded_key].join("\0")

const placeOf = ({ id, object }: Put) =>
  placeOfRow({
    party_id: id,
    module: storable(object.module),
    side: object.side,
    folded_key: foldKey(object.key)
  })

/** In their order; a statement cannot write a row twice, so an object that is put again begins another group. */
function inGroups(puts: ReadonlyArray<Put>): ReadonlyArray<ReadonlyArray<Put>> {
  const groups: Array<Array<Put>> = []
  const places = new Set<string>()
  for (const put of puts) {
    const place = placeOf(put)
    const group = groups.at(-1)
    if (group === undefined || places.has(place)) {
      groups.push([put])
      places.clear()
    } else group.push(put)
    places.add(place)
  }
  return groups
}

const columns = "party_id, module, side, folded_key, key, json, last_updated, updated_millis"
// xmax is 0 in a row that was inserted, not updated.
const upsert = `
  ON CONFLICT (party_id, module, side, folded_key) DO UPDATE SET key = excluded.key, json = excluded.json,
    last_updated = excluded.last_updated, updated_millis = excluded.updated_millis
  RETURNING party_id, module, side, folded_key, xmax = 0 AS created`

const putOne = ({ id, object, revision, tokenVersion }: Put) => ({
  name: "party_object_put",
  text: `INSERT INTO party_object (${columns})
         SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM party
         WHERE id = $1 AND token_version = $9 AND revision = coalesce($10, revision) ${upsert}`,
  values: [...valuesOf(id, object), tokenVersion, revision]
})

/** All processes write rows in the same order, so that none waits for another that waits for it. */
const putMany = (puts: ReadonlyArray<Put>) => {
  const texts = (of: (put: Put) => string) => textArray(puts.map(of))
  return {
    name: "party_object_put_many",
    text: `INSERT INTO party_object (${columns})
           SELECT p.id, put.module, put.side, put.folded_key, put.key, put.json::json, put.last_updated, put.millis
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[])
             AS put (id, module, side, folded_key, key, json, last_updated, millis, token_version, revision)
           JOIN party p ON p.id = put.id AND p.token_version = put.token_version
             AND p.revision = coalesce(put.revision, p.revision)
           ORDER BY put.id COLLATE "C", put.module COLLATE "C", put.side COLLATE "C", put.folded_key COLLATE "C" ${upsert}`,
    values: [
      texts(({ id }) => id),
      texts(({ object }) => storable(object.module)),
      texts(({ object }) => object.side),
      texts(({ object }) => foldKey(object.key)),
      texts(({ object }) => storable(object.key)),
      texts(({ object }) => JSON.stringify(object.json)),
      texts(({ object }) => storable(object.lastUpdated)),
      bigintArray(puts.map(({ object }) => millisOf(object.lastUpdated))),
      bigintArray(puts.map(({ tokenVersion }) => tokenVersion)),
      bigintArray(puts.map(({ revision }) => revision))
    ]
  }
}

/** The values of the columns. */
export const valuesOf = (id: PartyId, object: PartyObject) => [
  id,
  storable(object.module),
  object.side,
  foldKey(object.key),
  storable(object.key),
  JSON.stringify(object.json),
  storable(object.lastUpdated),
  millisOf(object.lastUpdated)
]
