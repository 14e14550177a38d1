/** The row and the party of a new connection. */
import { type CreateConnection, defaultDialect } from "../../../schema/Connection.ts"
import { partyOf } from "../../../schema/Ids.ts"
import { withoutEndSlashes } from "../../ocpi/urls.ts"
import { overriddenBy } from "../../party/wire/dialect.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { ConnectionRow } from "../../store/rows/ConnectionStore.ts"

/** The row of a connection that is not registered yet. */
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

/** The party that we play in the connection. */
export const newParty = (
  row: ConnectionRow,
  { dialect, hub = false }: CreateConnection,
  { claimsAt, identity }: Pick<Party, "claimsAt" | "identity">
): Party => ({
  id: partyOf(row.id),
  ownerId: row.ownerId,
  kind: "connection",
  role: row.ourRole,
  version: row.ocpiVersion,
  identity,
  ...(claimsAt === undefined ? {} : { claimsAt }),
  ...(hub ? { hub: { clients: clientsOf(identity) } } : {}),
  registration: "none",
  counterpart: { role: row.theirRole, versionsUrl: row.partnerBaseUrl, endpoints: [], parties: null },
  dialect: overriddenBy(defaultDialect, dialect ?? {}),
  registeredAt: null,
  sandbox: null
})

/** The two parties behind our hub: of its country, with an X and a Y, or a Z, at the end of its party id. */
export const clientsOf = ({ countryCode, partyId }: Party["identity"]): ReadonlyArray<Party["identity"]> =>
  ["X", "Y", "Z"]
    .map((mark) => partyId.slice(0, -1) + mark)
    .filter((id) => id.toUpperCase() !== partyId.toUpperCase())
    .slice(0, 2)
    .map((id) => ({ countryCode, partyId: id, name: `plugfest ${id}, behind a hub` }))

/** Whether both rows have the same host and port and the same role of ours, so that they may mean one partner. */
export const isBeside = (one: ConnectionRow, other: ConnectionRow): boolean =>
  one.ourRole === other.ourRole && hostOf(one) === hostOf(other)

/** Whether both rows have the same versions URL. */
export const isAtSameUrl = (one: ConnectionRow, other: ConnectionRow): boolean =>
  withoutEndSlashes(one.partnerBaseUrl) === withoutEndSlashes(other.partnerBaseUrl)

const hostOf = ({ partnerBaseUrl }: ConnectionRow): string => new URL(partnerBaseUrl).host

const marks = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/**
 * Our identity for a further connection to the same partner. A partner identifies parties by country code and party id and
 * would take two registrations of one party for one. So the last character of the party id is replaced by the first that
 * gives an unused id; when all are used, the id stays.
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
