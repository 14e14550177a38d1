/**
 * Routing headers: the sending and the receiving party, on functional modules only (transport_and_format, Message
 * routing).
 */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { sameId } from "../../findings/json.ts"
import { readRouting, routingHeaders } from "../../ocpi/routing.ts"
import type { Party } from "../../store/parties/Party.ts"

/** Configuration modules have no routing headers, and are all that Token A may use. */
const configurationModules: ReadonlySet<string> = new Set(["versions", "credentials", "hubclientinfo"])

/** Is the module functional, so that its messages have routing headers? */
export const isFunctional = (module: string): boolean => !configurationModules.has(module)

/** The routing headers of a call to the counterpart; none when the version or the module has no routing. */
export const callRouting = (
  profile: VersionProfile,
  party: Party,
  module: string
): Readonly<Record<string, string>> =>
  profile.routingHeaders && isFunctional(module) ? routingHeaders(party.identity, counterpartOf(party)) : {}

/** The routing headers of an answer: those of the request, swapped. A side that the caller left out is filled in. */
export const answerRouting = (
  profile: VersionProfile,
  party: Party,
  module: string,
  requestHeaders: Readonly<Record<string, string>>
): Readonly<Record<string, string>> => {
  if (!profile.routingHeaders || !isFunctional(module)) return {}
  const { from, to } = readRouting(requestHeaders)
  return routingHeaders(to ?? party.identity, from ?? counterpartOf(party))
}

/** Is the request addressed to another party than this? Only a hub could pass it on. */
export const isForSomebodyElse = (
  party: Party,
  profile: VersionProfile,
  module: string,
  { headers }: { readonly headers: Readonly<Record<string, string>> }
): boolean => {
  const { to } = readRouting(headers)
  return (
    profile.routingHeaders &&
    isFunctional(module) &&
    to !== undefined &&
    !(sameId(to.countryCode, party.identity.countryCode) && sameId(to.partyId, party.identity.partyId))
  )
}

/** The partner's party with the role that we expect, or its first one; undefined before registration. */
export const counterpartOf = (party: Party) => {
  const parties = party.counterpart.parties ?? []
  return parties.find(({ role }) => role === party.counterpart.role) ?? parties[0]
}
