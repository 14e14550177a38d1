/**
 * The parties that we play and what they hold: our side of every connection, and every sandbox partner.
 * Port; rows in Postgres (PartyStorePostgres) or in memory (PartyStoreMemory, for a sandbox that runs alone).
 */
import { Context, type Effect, type Option, type PubSub, type Redacted } from "effect"
import type { Dialect, Endpoint, PartnerParty } from "../../../schema/Connection.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OwnerId, PartyId, RunId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { SandboxActivity } from "../../../schema/Sandbox.ts"
import type { ScenarioFault } from "../../../schema/Scenario.ts"

/**
 * What only conformance runs play: no scenario names them. The first six in our version information. `unavailable`: HTTP
 * 503; `invalid-object`: one object of a list is broken, and the page after it has to be asked for.
 */
export type RunFault =
  | "unauthorized"
  | "no-json"
  | "version-missing"
  | "credentials-only"
  | "older-versions"
  | "endpoints-moved"
  | "unavailable"
  | "invalid-object"

/** A fault of ours, played on purpose. */
export interface OurFault extends Omit<ScenarioFault, "fault"> {
  readonly fault: ScenarioFault["fault"] | RunFault
}

/** A fault that our side plays while a run is open: how often still, and until when at the longest (ISO 8601 UTC). */
export interface Playing extends OurFault {
  readonly runId: RunId
  readonly left: number
  readonly until: string
}

/** A party as it stands. Holds no secret: tokens are asked for by name. */
export interface Party {
  readonly id: PartyId
  readonly ownerId: OwnerId
  /** `connection`: our side of the connection with the same id. `sandbox`: a partner that we play. */
  readonly kind: "connection" | "sandbox"
  /** What we play. */
  readonly role: Role
  /** The version agreed, or to be agreed. */
  readonly version: OcpiVersion
  readonly identity: { readonly countryCode: string; readonly partyId: string; readonly name: string }
  /** `registered` once tokens B and C are exchanged. */
  readonly registration: "none" | "registered"
  /** The other side as far as it is known. */
  readonly counterpart: {
    readonly role: Role
    /** Its versions URL; empty while a sandbox partner waits to be called. */
    readonly versionsUrl: string
    /** Of the version details that named the endpoints; absent in rows of older releases, and before a handshake. */
    readonly detailsUrl?: string | undefined
    readonly endpoints: ReadonlyArray<Endpoint>
    readonly parties: ReadonlyArray<PartnerParty> | null
  }
  readonly dialect: Dialect
  readonly registeredAt: string | null
  /** A credentials request under way in either direction, or our forgetting the partner: a state of machines/handshake, and since when. */
  readonly open?: {
    readonly id: string
    readonly state: "registering" | "answering" | "rotating" | "renewing" | "ending"
    readonly since: string
  } | null
  /** What went wrong in the partner's last call on our credentials; null once one went well. Begins with its class. */
  readonly lastError?: string | null | undefined
  /** Our Token A for the counterpart; it expires. */
  readonly invitation?: {
    readonly state: "open" | "used" | "withdrawn"
    readonly issuedAt: string
    readonly expiresAt: string
  }
  /** Sandbox only: faults, seed, speed, and what it does of its own accord (nothing when unsaid). */
  readonly sandbox: {
    readonly faults: ReadonlyArray<string>
    readonly seed: number
    readonly speed: number
    readonly activity?: SandboxActivity
  } | null
  /** Connections only: faults of the scenarios that are being run. */
  readonly playing?: ReadonlyArray<Playing>
}

/**
 * Tokens of a party. `outbound`: what it sends to the partner (A, then C or B). `issued`: what the partner sends to it.
 * `pending`: issued, works already, but the exchange that hands it over is not finished; `previous`: still accepted
 * while a rotation is open. `returned`: the token that the partner itself issued, to know whoever calls us with it; Token A
 * is good for version information while our registration is open, for some partners call back with it. `dead`: the last
 * one that the partner called us with and that is good for nothing any more; whoever goes on with it is known by it, and
 * refused.
 */
export type TokenSlot = "outbound" | LookupSlot

/** Slots whose token opens the door. */
export const acceptedSlots = ["issued", "pending", "previous"] as const
/** Slots whose token tells who comes, and opens nothing. */
export const recognisedSlots = ["returned", "dead"] as const
export const lookupSlots = [...acceptedSlots, ...recognisedSlots] as const
export type LookupSlot = (typeof lookupSlots)[number]

/** A secret and as what it was handed over. */
export interface NamedToken {
  readonly name: "tokenA" | "tokenB" | "tokenC"
  readonly value: Redacted.Redacted<string>
}

export interface PartyToken extends NamedToken {
  readonly slot: TokenSlot
}

/** What a slot holds from now on; null empties it. */
export interface TokenChange {
  readonly slot: TokenSlot
  readonly token: NamedToken | null
}

/** A token that a request may be served for. */
export interface AcceptedToken extends PartyToken {
  readonly slot: (typeof acceptedSlots)[number]
}

/** What is looked for: a token to serve the caller by, or one to know the caller by. What is found differs in type. */
export interface FoundFor {
  readonly accept: { readonly token: AcceptedToken }
  /** No value: it can stand in no place where an accepted token is due. */
  readonly recognise: {
    readonly slot: (typeof recognisedSlots)[number]
    readonly name: NamedToken["name"]
  }
}
export type TokenPurpose = keyof FoundFor

/** `candidate`: which of the candidates it was. */
export type Found<P extends TokenPurpose> = FoundFor[P] & {
  readonly party: Party
  readonly candidate: number
}

/** An OCPI object that a party keeps: its own (sender side) or what the partner pushed (receiver side). */
export interface PartyObject {
  readonly module: string
  /** `{country}/{party}/{id}` for client-owned objects, `{id}` for own ones; compared without regard to case. */
  readonly key: string
  readonly side: "own" | "received"
  readonly json: Record<string, unknown>
  /** Instant of its `last_updated`, ISO 8601 UTC. */
  readonly lastUpdated: string
}

/** An object as it was found. `revision` tells it from whatever is put in its place later. */
export interface KeptObject extends PartyObject {
  readonly revision: string
}

/** Calls of its partner that a party has refused: so many are kept, the latest ones. */
export const refusedKept = 1000
/**
 * How many tokens that are over are kept for a party. A registration has three and a renewal two, so these are those of
 * some fifty renewals; each one more makes every text about the party slower to look through.
 */
export const mostPastTokens = 100

/** What a simulated charge point has under way; served by no module of OCPI. */
export const simulatedModules = ["charges", "reservations", "activity"] as const

export interface Inbound {
  /** Grows by one with every call that any partner makes; order of arrival. */
  readonly position: number
  readonly partyId: PartyId
  readonly exchange: Exchange
}

export class PartyStore extends Context.Tag("store/PartyStore")<
  PartyStore,
  {
    readonly insert: (party: Party, tokens: ReadonlyArray<PartyToken>) => Effect.Effect<void>
    readonly find: (id: PartyId) => Effect.Effect<Option.Option<Party>>
    /**
     * `tokens` go along in the same step, unless `change` answers the very party that it was given: then nothing is
     * changed. None: there is no such party, and nothing is kept.
     */
    readonly update: (
      id: PartyId,
      change: (party: Party) => Party,
      tokens?: ReadonlyArray<TokenChange>
    ) => Effect.Effect<Option.Option<Party>>
    /** Removes the party, its tokens and its objects. Exchanges stay. */
    readonly remove: (id: PartyId) => Effect.Effect<void>
    readonly sandboxes: (
      ownerId: OwnerId
    ) => Effect.Effect<ReadonlyArray<Party & { readonly createdAt: string }>>
    /** All sandbox parties, to take their simulations up again at boot. */
    readonly allSandboxes: Effect.Effect<ReadonlyArray<Party>>
    /**
     * The parties with something under way of their own, objects of `simulatedModules`, that names none of these processes
     * as the one that carries it on (`by`). Of what they do of their own accord only the record that names one counts.
     */
    readonly leftBehind: (living: ReadonlySet<string>) => Effect.Effect<ReadonlyArray<PartyId>>

    readonly tokens: (id: PartyId) => Effect.Effect<ReadonlyArray<PartyToken>>
    /** Replaces the token in that slot; `null` empties it. */
    readonly putToken: (
      id: PartyId,
      slot: TokenSlot,
      token: Omit<PartyToken, "slot"> | null
    ) => Effect.Effect<void>
    /**
     * Keeps tokens that were handed over although they got into no slot, so that `secrets` knows them: a partner may repeat
     * one later.
     */
    readonly remember: (id: PartyId, tokens: ReadonlyArray<NamedToken>) => Effect.Effect<void>
    /**
     * Every token that the party has or ever had, those in use first: what must not be seen in any text about it. Of those
     * that are over the newest `mostPastTokens`. The same array until one is added.
     */
    readonly secrets: (id: PartyId) => Effect.Effect<ReadonlyArray<NamedToken>>
    /**
     * The party of which one of these candidate tokens is: one that is good (`accept`), or one that it is only known by
     * (`recognise`). `among`: parties that count; default all.
     */
    readonly findByToken: <P extends TokenPurpose>(
      purpose: P,
      candidates: ReadonlyArray<string>,
      among?: (party: Party) => boolean
    ) => Effect.Effect<Option.Option<Found<P>>>

    readonly putObject: (id: PartyId, object: PartyObject) => Effect.Effect<{ readonly created: boolean }>
    /**
     * Puts it in the place of what was found at that revision; null: where nothing was. False: somebody else was faster,
     * in this process or another; read again. True where it is kept word for word already, or the party is gone.
     */
    readonly replaceObject: (
      id: PartyId,
      object: PartyObject,
      revision: string | null
    ) => Effect.Effect<boolean>
    readonly object: (
      id: PartyId,
      module: string,
      side: PartyObject["side"],
      key: string
    ) => Effect.Effect<Option.Option<KeptObject>>
    readonly removeObject: (
      id: PartyId,
      module: string,
      side: PartyObject["side"],
      key: string
    ) => Effect.Effect<boolean>
    /** Oldest `lastUpdated` first, then key. `from` inclusive, `to` exclusive. `total` ignores offset and limit. */
    readonly objects: (
      id: PartyId,
      module: string,
      side: PartyObject["side"],
      page: { readonly from?: string; readonly to?: string; readonly offset: number; readonly limit: number }
    ) => Effect.Effect<{ readonly items: ReadonlyArray<PartyObject>; readonly total: number }>

    /**
     * Keeps an exchange of the party, outbound or inbound, scrubbed. Inbound ones wake `arrivals`. Of those that are said to
     * be refused the latest `refusedKept` stay.
     */
    readonly record: (id: PartyId, exchange: Exchange, refused?: "refused") => Effect.Effect<void>
    readonly exchanges: (id: PartyId, after: number, limit: number) => Effect.Effect<ReadonlyArray<Inbound>>
    /** Inbound exchanges of the party after a position, oldest first. */
    readonly inboundAfter: (
      id: PartyId,
      position: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Inbound>>
    /** Position of the newest exchange of the party; 0 when there is none. */
    readonly head: (id: PartyId) => Effect.Effect<number>
    /** Party ids that were just called, of this process: wake-ups, not the data. */
    readonly arrivals: PubSub.PubSub<PartyId>
  }
>() {}
