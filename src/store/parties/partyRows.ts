/** How parties, their objects and exchanges look as rows, and what memory and Postgres must agree on. */
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OwnerId, PartyId } from "../../../schema/Ids.ts"
import { storable } from "../../database/storable.ts"
import type { Inbound, KeptObject, Party, PartyObject, PartyToken } from "./PartyStore.ts"

export interface PartyRow {
  readonly id: PartyId
  readonly owner_id: OwnerId
  readonly kind: Party["kind"]
  readonly document: Omit<Party, "id" | "ownerId" | "kind">
  readonly created_at: Date
}

export interface ObjectRow {
  readonly key: string
  readonly json: Record<string, unknown>
  readonly last_updated: string
}

/** A row with the transaction that wrote it: every write is one of its own, so it is as good as a count of writes. */
export type KeptRow = ObjectRow & { readonly revision: string }

export interface ExchangeRow {
  readonly position: number
  readonly party_id: PartyId
  readonly exchange: Exchange
}

/** Object keys are compared without regard to case. */
export const foldKey = (key: string): string => storable(key).toUpperCase()

/** Milliseconds of an ISO instant; what is none sorts first. */
export function millisOf(instant: string): number {
  const millis = Date.parse(instant)
  return Number.isNaN(millis) ? 0 : millis
}

export const documentOf = ({ id: _id, kind: _kind, ownerId: _ownerId, ...document }: Party): string =>
  JSON.stringify(document)

export const partyOf = (row: PartyRow): Party => ({
  id: row.id,
  ownerId: row.owner_id,
  kind: row.kind,
  ...row.document
})

export const objectOf = (module: string, side: PartyObject["side"], row: ObjectRow): PartyObject => ({
  module,
  key: row.key,
  side,
  json: row.json,
  lastUpdated: row.last_updated
})

export const keptOf = (module: string, side: PartyObject["side"], row: KeptRow): KeptObject => ({
  ...objectOf(module, side, row),
  revision: row.revision
})

export const inboundOf = (row: ExchangeRow): Inbound => ({
  position: row.position,
  partyId: row.party_id,
  exchange: row.exchange
})

/** Where a token is kept, for the secret box. */
export const placeOf = (id: PartyId, slot: PartyToken["slot"]) => ({
  record: `party:${id}`,
  field: `token:${slot}`
})

/** Where a token that is over is kept. */
export const pastPlaceOf = (id: PartyId, fingerprint: string) => ({
  record: `party:${id}`,
  field: `past:${fingerprint}`
})
