/** A connection that is about to be: its row, and the party that we play in it. */
import { type CreateConnection, defaultDialect } from "../../schema/Connection.ts"
import { PartyId } from "../../schema/Ids.ts"
import { overriddenBy } from "../party/dialect.ts"
import type { ConnectionRow } from "../store/ConnectionStore.ts"
import type { Party } from "../store/PartyStore.ts"

/** Nobody is registered in it yet. */
export const newRow = (
  input: CreateConnection,
  given: Pick<ConnectionRow, "id" | "ownerId" | "createdAt">
): ConnectionRow => ({
  ...given,
  label: input.label ?? defaultLabel(input),
  environment: input.environment ?? "test",
  partnerBaseUrl: input.partnerBaseUrl,
  ourRole: input.ourRole,
  theirRole: input.theirRole,
  ocpiVersion: input.ocpiVersion,
  status: "pending",
  lastError: null,
  registeredAt: null
})

/** Our side of it. */
export const newParty = (
  row: ConnectionRow,
  { dialect }: CreateConnection,
  identity: Party["identity"]
): Party => ({
  id: PartyId.make(row.id),
  ownerId: row.ownerId,
  kind: "connection",
  role: row.ourRole,
  version: row.ocpiVersion,
  identity,
  registration: "none",
  counterpart: { role: row.theirRole, versionsUrl: row.partnerBaseUrl, endpoints: [], parties: null },
  dialect: overriddenBy(defaultDialect, dialect ?? {}, []),
  registeredAt: null,
  sandbox: null
})

function defaultLabel(input: CreateConnection): string {
  return `${input.theirRole} ${new URL(input.partnerBaseUrl).host} ${input.ocpiVersion}`.slice(0, 100)
}
