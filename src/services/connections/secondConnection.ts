/** Finds a second connection to the same partner, which some checks need as a second EMSP. */
import type { Connection } from "../../../schema/Connection.ts"
import type { ConnectionRow } from "../../store/rows/ConnectionStore.ts"

/**
 * The other connection of `all` that was registered last with the same partner in the same role and version, with environment `test`;
 * undefined if there is none. An older one may be of an installation that is gone. Partners are the same when their versions URLs have
 * the same host and port and their credentials name a party with the same country code and id.
 */
export const secondAt = (connection: Connection, all: ReadonlyArray<Connection>): Connection | undefined =>
  all
    .filter(
      (one) =>
        one._id !== connection._id &&
        one.status === "registered" &&
        one.hubClients === undefined &&
        one.environment === "test" &&
        one.ourRole === connection.ourRole &&
        one.ocpiVersion === connection.ocpiVersion &&
        hostOf(one) === hostOf(connection) &&
        partiesOf(one).some((party) => partiesOf(connection).includes(party))
    )
    .toSorted((a, b) => timeOf(b) - timeOf(a) || (a._id < b._id ? -1 : 1))[0]

const timeOf = ({ createdAt, registeredAt }: Connection): number => Date.parse(registeredAt ?? createdAt)

/** May the other one be such a connection, as far as its row says what never changes? */
export const mayBeSecond = (row: ConnectionRow, other: ConnectionRow): boolean =>
  other.id !== row.id && other.environment === "test" && other.ourRole === row.ourRole

const hostOf = ({ partnerBaseUrl }: Connection): string =>
  URL.canParse(partnerBaseUrl) ? new URL(partnerBaseUrl).host : partnerBaseUrl

const partiesOf = ({ partner, theirRole }: Connection): ReadonlyArray<string> =>
  (partner ?? [])
    .filter(({ role }) => role === theirRole)
    .map(({ countryCode, partyId }) => `${countryCode}-${partyId}`.toUpperCase())
