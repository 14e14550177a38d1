/**
 * Routing headers: the sending and the receiving party, on functional modules only (transport_and_format, Message
 * routing).
 */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { objectIn, sameId, textIn } from "../../findings/json.ts"
import { type RoutedParty, readRouting, routingHeaders } from "../../ocpi/routing.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { CallRequest } from "./CallRequest.ts"
import { hubRole } from "./credentialsObject.ts"

/** Configuration modules have no routing headers, and are all that Token A may use. */
const configurationModules: ReadonlySet<string> = new Set(["versions", "credentials", "hubclientinfo"])

/** Is the module functional, so that its messages have routing headers? */
export const isFunctional = (module: string): boolean => !configurationModules.has(module)

/** The parts of a request by which its receiving party is found. */
export type RoutedCall = Pick<
  CallRequest,
  "body" | "interfaceRole" | "method" | "module" | "path" | "recipient" | "url"
>

/**
 * The routing headers of a call to the counterpart; none when the version or the module has no routing. A hub is addressed where all
 * of its parties are meant. Anything else is for one of them: the one that the object names, or else the recipient that is known. Only
 * where none is known the hub has to find it (Open Routing Request), which not every hub can. A platform with parties of its own is
 * addressed by the one that is meant, or else by its usual one.
 */
export const callRouting = (
  profile: VersionProfile,
  party: Party,
  call: RoutedCall
): Readonly<Record<string, string>> => {
  if (!profile.routingHeaders || !isFunctional(call.module)) return {}
  const usual = counterpartOf(party)
  if (isBehindHub(party) && isForAll(call)) return routingHeaders(party.identity, usual)
  const meant = ownerNamedIn(call.body) ?? call.recipient
  const isKnown = isBehindHub(party) || (meant !== undefined && isAmong(partiesOfRole(party), meant))
  return routingHeaders(party.identity, isKnown ? meant : usual)
}

const isAmong = (parties: ReadonlyArray<RoutedParty>, { countryCode, partyId }: RoutedParty): boolean =>
  parties.some((one) => sameId(one.countryCode, countryCode) && sameId(one.partyId, partyId))

/** The partner's parties of the role that we expect of it. */
export const partiesOfRole = ({ counterpart: { parties, role } }: Party) =>
  (parties ?? []).filter((one) => one.role === role)

/** Are there several parties that a request may be for? */
export const speaksForSeveral = (party: Party): boolean =>
  isBehindHub(party) || partiesOfRole(party).length > 1

/** Are the parties that requests are for behind a hub, whose credentials do not name them? */
export const isBehindHub = (party: Party): boolean => counterpartOf(party)?.role.toUpperCase() === hubRole

/** The EMSP whose token a session or a CDR has. */
function ownerNamedIn(body: unknown): RoutedParty | undefined {
  const { country_code, party_id } = objectIn(objectIn(body)["cdr_token"])
  const [countryCode, partyId] = [textIn(country_code), textIn(party_id)]
  return countryCode === undefined || partyId === undefined ? undefined : { countryCode, partyId }
}

/** Objects that are meant for every party behind a hub (Broadcast Push). */
const forEverybody: ReadonlyArray<string> = ["locations", "tariffs", "tokens"]

/** A list of the objects of all parties (GET All via Hubs), or a Broadcast Push. */
export const isForAll = ({ interfaceRole, method, module, path = [] }: RoutedCall): boolean =>
  method === "GET" || method === "HEAD"
    ? interfaceRole === "SENDER" && path.length === 0
    : interfaceRole === "RECEIVER" && method !== "POST" && forEverybody.includes(module)

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

/**
 * The partner's party with the role that we expect, or that of its hub, or its first one; undefined before registration. A hub speaks
 * for parties that its credentials need not name.
 */
export const counterpartOf = (party: Party) => {
  const parties = party.counterpart.parties ?? []
  return (
    parties.find(({ role }) => role === party.counterpart.role) ??
    parties.find(({ role }) => role.toUpperCase() === hubRole) ??
    parties[0]
  )
}
