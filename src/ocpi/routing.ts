/** OCPI routing headers: which party speaks to which. Functional modules only; versions and credentials carry none. */

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

/** The parties named by a message's headers (lower-case names); undefined where a pair is not complete. */
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
