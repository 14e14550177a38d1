/** A connection as its owner sees it: the row and the party behind it, without any secret. */
import type { Connection, ConnectionStatus } from "../../schema/Connection.ts"
import type { ConnectionRow } from "../store/ConnectionStore.ts"
import type { Party } from "../store/PartyStore.ts"

export const connectionView = (row: ConnectionRow, party: Party): Connection => {
  const status = statusOf(row, party)
  const registered = status === "registered"
  return {
    _id: row.id,
    partnerBaseUrl: row.partnerBaseUrl,
    ourRole: row.ourRole,
    theirRole: row.theirRole,
    ocpiVersion: row.ocpiVersion,
    status,
    ...(row.lastError === null ? {} : { lastError: row.lastError }),
    label: row.label,
    environment: row.environment,
    dialect: party.dialect,
    endpoints: party.counterpart.endpoints,
    partner: party.counterpart.parties,
    registeredAt: registered ? (row.registeredAt ?? party.registeredAt) : null,
    createdAt: row.createdAt
  }
}

/** The party knows first when the partner registers with us, or ends the registration: its word counts. */
function statusOf(row: ConnectionRow, party: Party): ConnectionStatus {
  if (party.registration === "registered") return "registered"
  return row.status === "registered" ? "pending" : row.status
}
