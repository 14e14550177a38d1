/** A second registration at the same partner: the run of one connection may use another as a second EMSP. */
import type { Connection } from "../../../schema/Connection.ts"

/**
 * The oldest other connection of `all` that is registered at the same partner in the same role and version, and is there to
 * be tested with. The same partner: its versions URL has the same host and port, and its credentials name a party with the
 * same country code and id. Undefined: there is none.
 */
export const secondAt = (connection: Connection, all: ReadonlyArray<Connection>): Connection | undefined =>
  all
    .filter(
      (one) =>
        one._id !== connection._id &&
        one.status === "registered" &&
        one.environment === "test" &&
        one.ourRole === connection.ourRole &&
        one.ocpiVersion === connection.ocpiVersion &&
        hostOf(one) === hostOf(connection) &&
        partiesOf(one).some((party) => partiesOf(connection).includes(party))
    )
    .toSorted((a, b) => (a._id < b._id ? -1 : 1))[0]

const hostOf = ({ partnerBaseUrl }: Connection): string =>
  URL.canParse(partnerBaseUrl) ? new URL(partnerBaseUrl).host : partnerBaseUrl

const partiesOf = ({ partner, theirRole }: Connection): ReadonlyArray<string> =>
  (partner ?? [])
    .filter(({ role }) => role === theirRole)
    .map(({ countryCode, partyId }) => `${countryCode}-${partyId}`.toUpperCase())
