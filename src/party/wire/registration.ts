/**
 * A party's registration as a state of machines/handshake: read from what the party holds, and written to it after an
 * event. Nothing else writes `registration` or `open` of a party that exists.
 */
import { Clock, Effect } from "effect"
import { type HandshakeEventType, type HandshakeState, handshakeAfter } from "../../../machines/handshake.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import { isOverridden } from "./dialect.ts"

/** An exchange that is open for longer died with its process. Longer than any credentials request takes. */
const longestOpenMillis = 180_000

/** The moment at which a registration is looked at. */
interface RegistrationMoment {
  /** Milliseconds since the epoch. */
  readonly nowMillis: number
  /** Is a Token A of ours out? Default false. */
  readonly invited?: boolean
}

/** Now, at a party that is stored. It is invited as long as its Token A is known, also after the invitation has expired. */
export const registrationMoment = Effect.fnUntraced(function* (
  store: Pick<PartyStore["Type"], "tokens">,
  id: PartyId
): Effect.fn.Return<Required<RegistrationMoment>> {
  const tokens = yield* store.tokens(id)
  return {
    nowMillis: yield* Clock.currentTimeMillis,
    invited: tokens.some(({ name, slot }) => slot === "issued" && name === "tokenA")
  }
})

/** The party's state at that moment. */
export const registrationState = (
  { open, registration }: Pick<Party, "open" | "registration">,
  { invited = false, nowMillis }: RegistrationMoment
): HandshakeState => {
  if (open !== null && open !== undefined && nowMillis - Date.parse(open.since) < longestOpenMillis)
    return open.state
  if (registration === "registered") return "registered"
  return invited ? "invited" : "unregistered"
}

/** May this event happen to the party at that moment? */
export const mayHappen = (
  party: Pick<Party, "open" | "registration">,
  event: HandshakeEventType,
  moment: RegistrationMoment
): boolean => handshakeAfter(registrationState(party, moment), event) !== undefined

/** The exchange of credentials that an event is about. */
interface CredentialsExchange extends RegistrationMoment {
  /** As the party's `open` names it; `noExchange` for an event beside all exchanges. */
  readonly id: string
}

export const noExchange = "none"

/** Events that open an exchange; the others end one, or happen beside it. */
const opening: ReadonlyArray<HandshakeEventType> = [
  ...(["exchange.begun", "post.received", "put.received", "ending.begun"] as const)
]

/** Events after which the partner is not registered any more, also while our own ending of the registration goes on. */
const closing: ReadonlyArray<HandshakeEventType> = [
  "delete.received",
  "delete.answered",
  "registration.ended"
]

/** The party after the event; undefined where its state does not take it, and nothing may change. */
export const registrationAfter = (
  party: Party,
  event: HandshakeEventType,
  { id, invited = false, nowMillis }: CredentialsExchange
): Party | undefined => {
  // An exchange that asks is alive, however long it has been open.
  const state = party.open?.id === id ? party.open.state : registrationState(party, { invited, nowMillis })
  const next = handshakeAfter(state, event, { invited })
  if (next === undefined) return undefined
  const since = new Date(nowMillis).toISOString()
  const after = held[next](party, opening.includes(event) ? { id, since } : (party.open ?? { id, since }))
  return closing.includes(event) ? { ...after, registration: "none" } : after
}

/** The party after its exchange ended without a change of the registration; as it is where another exchange is open. */
export const exchangeEnded = (
  party: Party,
  event: "exchange.failed" | "call.refused",
  exchange: CredentialsExchange
): Party => (party.open?.id === exchange.id ? (registrationAfter(party, event, exchange) ?? party) : party)

type Hold = (party: Party, open: { readonly id: string; readonly since: string }) => Party

/** What a party holds in each state, so that `registrationState` reads that state from it. */
const held: Readonly<Record<HandshakeState, Hold>> = {
  unregistered: (party) => ({ ...party, registration: "none", open: null }),
  invited: (party) => ({ ...party, registration: "none", open: null }),
  registering: (party, open) => ({ ...party, registration: "none", open: { ...open, state: "registering" } }),
  answering: (party, open) => ({ ...party, registration: "none", open: { ...open, state: "answering" } }),
  registered: (party) => ({ ...party, registration: "registered", open: null }),
  rotating: (party, open) => ({ ...party, registration: "registered", open: { ...open, state: "rotating" } }),
  renewing: (party, open) => ({ ...party, registration: "registered", open: { ...open, state: "renewing" } }),
  // What is being ended may be a registration, or only the party.
  ending: (party, open) => ({ ...party, open: { ...open, state: "ending" } })
}

/**
 * The party in another version. The old version's token form says nothing about the new one's, unless it was an unusual
 * one that we send, or the caller has fixed it.
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

/**
 * Versions that a known partner may use: the agreed one until it is registered, then all, because it may change to
 * another one.
 */
export const versionsOffered = (
  party: Pick<Party, "registration" | "version">
): ReadonlyArray<OcpiVersion> => (party.registration === "registered" ? versionNumbers : [party.version])
