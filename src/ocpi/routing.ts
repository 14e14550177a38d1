/**
 * OCPI routing headers: the sending and the receiving party. Functional modules only; versions and credentials have none.
 */

/** A party as the routing headers name it. */
export interface RoutedParty {
  readonly countryCode: string
  readonly partyId: string
}

/** The headers for a message; `to` absent: open routing. An answer swaps `from` and `to` of its request. */
export const routingHeaders = (from: RoutedParty, to?: RoutedParty): Readonly<Record<string, string>> => ({
  ...(to === undefined ? {} : { "OCPI-to-party-id": to.partyId, "OCPI-to-country-code": to.countryCode }),
  "OCPI-from-party-id": from.partyId,
  "OCPI-from-country-code": from.countryCode
})

/** The parties that a message's headers name (header names in lower case); undefined where a pair is incomplete. */
export const readRouting = (
  headers: Readonly<Record<string, string>>
): { readonly from: RoutedParty | undefined; readonly to: RoutedParty | undefined } => {
  const party = (side: "from" | "to"): RoutedParty | undefined => {
    const countryCode = headers[`ocpi-${side}-country-code`]
    const partyId = headers[`ocpi-${side}-party-id`]
    return countryCode === undefined || partyId === undefined ? undefined : { countryCode, partyId }
  }
  return { from: party("from"), to: party("to") }
}
