/** Rows of parties, their objects and exchanges, and the rules that the memory and the Postgres store share. */
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OwnerId, PartyId } from "../../../schema/Ids.ts"
import { storable } from "../../database/storable.ts"
import type { Party } from "./Party.ts"
import type { Inbound, KeptObject, PartyObject } from "./PartyStore.ts"
import type { PartyToken } from "./TokenSlot.ts"

/** A row of `party`. */
export interface PartyRow {
  readonly id: PartyId
  readonly owner_id: OwnerId
  readonly kind: Party["kind"]
  readonly document: Omit<Party, "id" | "ownerId" | "kind">
  readonly created_at: Date
}

/** The columns of `party_object` that make a `PartyObject`. */
export interface ObjectRow {
  readonly key: string
  readonly json: Record<string, unknown>
  readonly last_updated: string
}

/**
 * An object's row with the id of the transaction that wrote it. Every write has a transaction of its own, so the id
 * identifies the write.
 */
export type KeptRow = ObjectRow & { readonly revision: string }

/** A row of `party_exchange`. */
export interface ExchangeRow {
  readonly position: number
  readonly party_id: PartyId
  readonly exchange: Exchange
}

/** Object keys are compared without regard to case. */
export const foldKey = (key: string): string => storable(key).toUpperCase()

/** Epoch milliseconds of an ISO 8601 instant; 0 for any other text, so that it sorts first. */
export function millisOf(instant: string): number {
  const millis = Date.parse(instant)
  return Number.isNaN(millis) ? 0 : millis
}

/** The column `document`: the party as JSON, without what has a column of its own. */
export const documentOf = ({ id: _id, kind: _kind, ownerId: _ownerId, ...document }: Party): string =>
  JSON.stringify(document)

/** The party of a row. */
export const partyOf = (row: PartyRow): Party => ({
  id: row.id,
  ownerId: row.owner_id,
  kind: row.kind,
  ...row.document
})

/** The object of a row. */
export const objectOf = (module: string, side: PartyObject["side"], row: ObjectRow): PartyObject => ({
  module,
  key: row.key,
  side,
  json: row.json,
  lastUpdated: row.last_updated
})

/** The object of a row, with its revision. */
export const keptOf = (module: string, side: PartyObject["side"], row: KeptRow): KeptObject => ({
  ...objectOf(module, side, row),
  revision: row.revision
})

/** The inbound exchange of a row. */
export const inboundOf = (row: ExchangeRow): Inbound => ({
  position: row.position,
  partyId: row.party_id,
  exchange: row.exchange
})

/** The place of a slot's token, for the secret box. */
export const secretPlaceOf = (id: PartyId, slot: PartyToken["slot"]) => ({
  record: `party:${id}`,
  field: `token:${slot}`
})

/** The place of a past token, for the secret box. */
export const pastPlaceOf = (id: PartyId, fingerprint: string) => ({
  record: `party:${id}`,
  field: `past:${fingerprint}`
})
