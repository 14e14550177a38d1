/** Parties with what they hold, as the contracts of PartyStore put them in. */
import { Redacted } from "effect"
import { defaultDialect } from "../../../schema/Connection.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { OwnerId, PartyId } from "../../../schema/Ids.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import type { PartyObject } from "../../../src/store/parties/PartyStore.ts"
import type { PartyToken } from "../../../src/store/parties/TokenSlot.ts"

export const owner = OwnerId.make("own_a")

export const party = (id: string, kind: Party["kind"] = "connection"): Party => ({
  id: PartyId.make(id),
  ownerId: owner,
  kind,
  role: "EMSP",
  version: "2.2.1",
  identity: { countryCode: "NL", partyId: "PFT", name: "Plugfest" },
  registration: "none",
  counterpart: { role: "CPO", versionsUrl: "https://cpo.example/versions", endpoints: [], parties: null },
  dialect: defaultDialect,
  registeredAt: null,
  sandbox: kind === "sandbox" ? { faults: [], seed: 1, speed: 60 } : null
})

export const token = (slot: PartyToken["slot"], value: string): PartyToken => ({
  slot,
  name: "tokenB",
  value: Redacted.make(value)
})

export const object = (
  key: string,
  lastUpdated: string,
  json: Record<string, unknown> = {}
): PartyObject => ({
  module: "locations",
  key,
  side: "received",
  json,
  lastUpdated
})

export const exchange = (id: string, direction: Exchange["direction"] = "inbound"): Exchange => ({
  id,
  direction,
  module: "sessions",
  operation: "PUT session",
  request: {
    method: "PUT",
    url: "https://us.example/x",
    headers: { b: "1", a: "2" },
    body: "\0{}",
    truncated: false
  },
  response: null,
  outcome: "unknown",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1.5,
  requestId: "r",
  correlationId: "c"
})
