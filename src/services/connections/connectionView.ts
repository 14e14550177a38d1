/** A connection as the API shows it, from its row and its party, without any secret. */
import type { Connection, ConnectionStatus } from "../../../schema/Connection.ts"
import { invitationOf, registrationOf } from "../../party/wire/registrationNow.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { ConnectionRow } from "../../store/rows/ConnectionStore.ts"

/** `nowMillis`, milliseconds since the epoch, decides whether an open invitation has expired. */
export const connectionView = (row: ConnectionRow, party: Party, nowMillis: number): Connection => {
  const status = statusOf(row, party)
  const registered = status === "registered"
  const lastError = party.lastError === undefined ? row.lastError : party.lastError
  return {
    _id: row.id,
    partnerBaseUrl: party.counterpart.versionsUrl,
    ourRole: row.ourRole,
    theirRole: row.theirRole,
    ocpiVersion: party.version,
    status,
    ...(lastError === null ? {} : { lastError }),
    label: row.label,
    environment: row.environment,
    dialect: party.dialect,
    endpoints: party.counterpart.endpoints,
    partner: party.counterpart.parties,
    ...(party.hub === undefined
      ? {}
      : { hubClients: party.hub.clients.map((client) => ({ role: party.role, ...client })) }),
    invitation: invitationOf(party, nowMillis),
    registration: registrationOf(party, nowMillis),
    registeredAt: registered ? (party.registeredAt ?? row.registeredAt) : null,
    createdAt: row.createdAt
  }
}

/** The party's state takes precedence: it changes first when the partner registers with us or unregisters. */
function statusOf(row: ConnectionRow, party: Party): ConnectionStatus {
  if (party.registration === "registered") return "registered"
  return row.status === "registered" ? "pending" : row.status
}
