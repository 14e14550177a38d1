/** Single objects of parties: those that are read at once come in one statement. */
import type pg from "pg"
import type { PartyId } from "../../../schema/Ids.ts"
import { makeBatch } from "../../database/batches/batch.ts"
import { textArray } from "../../database/batches/binaryArrays.ts"
import type { PartyObject, PartyVersions } from "./PartyStore.ts"
import type { KeptRow } from "./partyRows.ts"

/** Where an object is; module and key as they are stored. */
interface ObjectPlace {
  readonly id: PartyId
  readonly module: string
  readonly side: PartyObject["side"]
  readonly foldedKey: string
}

/** What is there. `key` is null: no object. `now` and `party_revision`: the versions of the party's tokens and of the party. */
type FoundRow = Omit<KeptRow, "key"> & {
  readonly key: string | null
  readonly now: number
  readonly party_revision: number
}

/** The most objects in one statement. */
const together = 64

/** Reads the object at a place; undefined: the party is gone. Calls `seen` with the versions of each party that it finds. */
export const readObjects = (
  pool: pg.Pool,
  seen: (id: PartyId, versions: PartyVersions, begunAt: number) => void
) =>
  makeBatch<ObjectPlace, FoundRow | undefined>({
    most: together,
    run: async (places) => {
      const begunAt = performance.now()
      const { rows } = await pool.query<FoundRow & { readonly at: number }>(
        places.length === 1 ? readOne(places[0]!) : readMany(places)
      )
      const found = new Map(rows.map((row) => [row.at, row]))
      return places.map(({ id }, at) => {
        const row = found.get(at + 1)
        if (row !== undefined) seen(id, { revision: row.party_revision, tokenVersion: row.now }, begunAt)
        return row
      })
    }
  })

const columns =
  "p.revision AS party_revision, token_version AS now, key, json, last_updated, o.xmin::text AS revision"

const readOne = ({ foldedKey, id, module, side }: ObjectPlace) => ({
  name: "party_object",
  text: `SELECT 1 AS at, ${columns} FROM party p
         LEFT JOIN party_object o ON party_id = $1 AND module = $2 AND side = $3 AND folded_key = $4
         WHERE p.id = $1`,
  values: [id, module, side, foldedKey]
})

const readMany = (places: ReadonlyArray<ObjectPlace>) => ({
  name: "party_object_many",
  text: `SELECT at, ${columns}
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
           AS place (party, of_module, of_side, of_key, at)
         JOIN party p ON p.id = place.party
         LEFT JOIN party_object o
           ON party_id = p.id AND module = of_module AND side = of_side AND folded_key = of_key`,
  values: [
    textArray(places.map(({ id }) => id)),
    textArray(places.map(({ module }) => module)),
    textArray(places.map(({ side }) => side)),
    textArray(places.map(({ foldedKey }) => foldedKey))
  ]
})
