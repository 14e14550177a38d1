/** A connection that is about to be: its row, and the party that we play in it. */
import { type CreateConnection, defaultDialect } from "../../../schema/Connection.ts"
import { PartyId } from "../../../schema/Ids.ts"
import { overriddenBy } from "../../party/wire/dialect.ts"
import type { Party } from "../../store/parties/PartyStore.ts"
import type { ConnectionRow } from "../../store/rows/ConnectionStore.ts"

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

/** Do the two stand for the same partner, for all that their URLs tell, with us in the same role? */
export const isBeside = (one: ConnectionRow, other: ConnectionRow): boolean =>
  one.ourRole === other.ourRole && hostOf(one) === hostOf(other)

const hostOf = ({ partnerBaseUrl }: ConnectionRow): string => new URL(partnerBaseUrl).host

const marks = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/**
 * Who we are in a connection, when we are somebody at the same partner already: a partner knows parties by country code and
 * party id, and would take two registrations of one party for one. The id's last character is replaced by the first mark
 * that makes it another one than those in use; when there is none left, it stays as it is.
 */
export const identityBeside = (
  identity: Party["identity"],
  inUse: ReadonlyArray<Party["identity"]>
): Party["identity"] => {
  const used = new Set(
    inUse
      .filter(({ countryCode }) => countryCode.toUpperCase() === identity.countryCode.toUpperCase())
      .map(({ partyId }) => partyId.toUpperCase())
  )
  const ids = [identity.partyId, ...[...marks].map((mark) => identity.partyId.slice(0, -1) + mark)]
  return { ...identity, partyId: ids.find((id) => !used.has(id.toUpperCase())) ?? identity.partyId }
}

function defaultLabel(input: CreateConnection): string {
  return `${input.theirRole} ${new URL(input.partnerBaseUrl).host} ${input.ocpiVersion}`.slice(0, 100)
}
