/** In which state of machines/handshake a party is: read from what it holds, so that nothing can contradict it. */
import { type HandshakeEventType, type HandshakeState, mayHappen } from "../../../machines/handshake.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { Party, PartyToken } from "../../store/parties/PartyStore.ts"
import { isOverridden } from "./dialect.ts"

/** An exchange that is open for longer died with its process. Longer than any credentials request may take. */
const longestOpenMillis = 180_000

/** `invited`: is a Token A of ours out? `nowMillis`: since the epoch. */
export const registrationState = (
  { open, registration }: Pick<Party, "open" | "registration">,
  invited: boolean,
  nowMillis: number
): HandshakeState => {
  if (open !== null && open !== undefined && nowMillis - Date.parse(open.since) < longestOpenMillis)
    return open.state
  if (registration === "registered") return "registered"
  return invited ? "invited" : "unregistered"
}

/** May that happen to the party now? */
export const mayNow = (
  party: Pick<Party, "open" | "registration">,
  invited: boolean,
  nowMillis: number,
  event: HandshakeEventType
): boolean => mayHappen(registrationState(party, invited, nowMillis), event)

export const isInvited = (tokens: ReadonlyArray<PartyToken>): boolean =>
  tokens.some(({ name, slot }) => slot === "issued" && name === "tokenA")

/**
 * The party as it speaks in that version from now on. Which form of the token the old version had says nothing about the
 * new one, unless it was an odd one there too that we send, or is the caller's wish.
 */
export const inNewVersion = (party: Party, version: OcpiVersion): Party => {
  if (version === party.version) return party
  const { inbound, outbound } = party.dialect.tokenEncoding
  const staysOutbound =
    outbound !== profileOf(party.version).authorization ||
    isOverridden(party.dialect, "tokenEncoding.outbound")
  const tokenEncoding = {
    inbound: isOverridden(party.dialect, "tokenEncoding.inbound") ? inbound : ("auto" as const),
    outbound: staysOutbound ? outbound : ("auto" as const)
  }
  return { ...party, version, dialect: { ...party.dialect, tokenEncoding } }
}

/** Versions that a known partner may talk: the agreed one alone until it is registered, then it may go over to any. */
export const versionsOffered = (
  party: Pick<Party, "registration" | "version">
): ReadonlyArray<OcpiVersion> => (party.registration === "registered" ? versionNumbers : [party.version])
