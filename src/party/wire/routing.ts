/** Which party speaks and which is spoken to, on functional modules only (transport_and_format, message routing). */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { sameId } from "../../findings/json.ts"
import { readRouting, routingHeaders } from "../../ocpi/routing.ts"
import type { Party } from "../../store/parties/PartyStore.ts"

/** Configuration modules carry no routing headers, and are all that Token A opens. */
const configurationModules: ReadonlySet<string> = new Set(["versions", "credentials", "hubclientinfo"])

export const isFunctional = (module: string): boolean => !configurationModules.has(module)

/** Headers of a call from the party to its counterpart; none where the version or the module has no routing. */
export const callRouting = (
  profile: VersionProfile,
  party: Party,
  module: string
): Readonly<Record<string, string>> =>
  profile.routingHeaders && isFunctional(module) ? routingHeaders(party.identity, counterpartOf(party)) : {}

/** Headers of an answer: those of the request with both ends swapped. What the caller left out, we know. */
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

/** Does the request name, as the one that it is for, another party than this? Only a hub may pass it on. */
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

/** The partner's party that plays the role that we expect, or its first one; undefined before registration. */
export const counterpartOf = (party: Party) => {
  const parties = party.counterpart.parties ?? []
  return parties.find(({ role }) => role === party.counterpart.role) ?? parties[0]
}
