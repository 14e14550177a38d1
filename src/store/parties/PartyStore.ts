/**
 * The parties that plugfest plays and what they hold: our side of every connection, and every sandbox partner. A port:
 * rows in Postgres (PartyStorePostgres) or in memory (PartyStoreMemory, for a standalone sandbox).
 */
import { Context, type Effect, type Option } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OwnerId, PartyId } from "../../../schema/Ids.ts"
import type { TokenForm } from "../../ocpi/tokens.ts"
import type { Arrivals } from "./Arrivals.ts"
import type { Party } from "./Party.ts"
import type {
  acceptedSlots,
  Keyring,
  NamedToken,
  PartyToken,
  recognisedSlots,
  TokenChange,
  TokenSlot
} from "./TokenSlot.ts"

/** The versions of a party: they grow with every change of it, and of its tokens. */
export interface PartyVersions {
  readonly revision: number
  readonly tokenVersion: number
}

/** A token that authorises a request. */
export interface AcceptedToken extends PartyToken {
  readonly slot: (typeof acceptedSlots)[number]
}

/**
 * What `findByToken` finds for each purpose: a token that authorises the caller, or one that only identifies it. The
 * types differ, so one cannot be used as the other.
 */
interface FoundFor {
  readonly accept: {
    readonly token: AcceptedToken
    /** As `PartyStore.keyring`, at the moment of `party`. */
    readonly keyring: Keyring
  }
  /** Without a value, so it cannot be used as an accepted token. */
  readonly recognise: {
    readonly slot: (typeof recognisedSlots)[number]
    readonly name: NamedToken["name"]
  }
}
/** `accept`: to authorise a request. `recognise`: only to identify the caller. */
export type TokenPurpose = keyof FoundFor

/** A party found by a token. `candidate`: index of the candidate that matched. */
export type Found<P extends TokenPurpose> = FoundFor[P] & {
  readonly party: Party
  readonly candidate: number
}

/** A party found in this process's memory: it and its keyring are of these versions, and may be out of date. */
interface HeldParty {
  readonly party: Party
  readonly token: AcceptedToken
  readonly keyring: Keyring
  readonly asOf: PartyVersions
  /** The form in which the token was written. */
  readonly form: TokenForm
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

/** An object as it was read. `revision` changes with every write. */
export interface KeptObject extends PartyObject {
  readonly revision: string
}

/** A part of a party's objects of one module and side. Default `order`: `changed`. */
interface ObjectPage {
  readonly from?: string
  readonly to?: string
  readonly offset: number
  readonly limit: number
  readonly order?: "changed" | "created"
}

/** How many refused calls of its partner a party keeps: the latest ones. */
export const refusedKept = 1000
/**
 * How many past tokens of a party are kept. A registration has three tokens and a renewal two, so this is enough for some
 * fifty renewals; each one more slows down the search of every text about the party.
 */
export const mostPastTokens = 100

/** Modules, none of OCPI, under which the ongoing work of a simulated charge point is stored as objects. */
export const simulatedModules = ["charges", "reservations", "activity"] as const

/**
 * Module, none of OCPI, of the results that are awaited: an object for each response_url that was given away, under the id in
 * that URL, which is unique over all parties.
 */
export const expectedResults = "expected-results"

/** An exchange, mostly a call of a partner, as it was stored. */
export interface Inbound {
  /** Grows with every exchange of any party, in order of arrival. */
  readonly position: number
  readonly partyId: PartyId
  readonly exchange: Exchange
}

/** A page of exchanges, newest first. */
export interface ExchangePage {
  readonly limit: number
  /** Id of the last exchange of the page before; of one that is gone or another party's: an empty page. Absent: the first page. */
  readonly cursor?: string
  /** Position of the newest one that may be on it. */
  readonly upTo?: number
  /** Absent: both. */
  readonly direction?: Exchange["direction"]
}

/** The parties, their tokens, objects and exchanges. */
export class PartyStore extends Context.Tag("store/PartyStore")<
  PartyStore,
  {
    readonly insert: (party: Party, tokens: ReadonlyArray<PartyToken>) => Effect.Effect<void>
    /**
     * `since`: an instant of `performance.now()`; the party is as it was then, or later. So where this process has read the party, or
     * one of its objects, after that instant, the database is not asked again.
     */
    readonly find: (id: PartyId, since?: number) => Effect.Effect<Option.Option<Party>>
    /**
     * Applies `change` and `tokens` in one step and returns the new party. If `change` returns the very party that it
     * got, nothing is changed, nor are tokens. None: the party does not exist.
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
    /** All sandbox parties, to resume their simulations at boot. */
    readonly allSandboxes: Effect.Effect<ReadonlyArray<Party>>
    /**
     * Parties with ongoing work (objects of `simulatedModules`) that names none of these processes in `by`, as the one
     * that carries it on. Of `activity` only the record that names a process counts.
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
     * Keeps tokens that were handed over but got into no slot, so that `secrets` knows them: a partner may repeat one
     * later.
     */
    readonly remember: (id: PartyId, tokens: ReadonlyArray<NamedToken>) => Effect.Effect<void>
    /**
     * Every token that the party has or ever had, those in a slot first, then the newest `mostPastTokens`: what redaction
     * must find in texts about it. Returns the same array until a token is added. `since` as for `find`.
     */
    readonly secrets: (id: PartyId, since?: number) => Effect.Effect<ReadonlyArray<NamedToken>>
    /** `tokens` and `secrets`, of one moment; `since` as for `find`. */
    readonly keyring: (id: PartyId, since?: number) => Effect.Effect<Keyring>
    /**
     * The party that has one of these candidate tokens: an accepted one (`accept`) or a recognised one (`recognise`).
     * `among`: the parties to search; default all.
     */
    readonly findByToken: <P extends TokenPurpose>(
      purpose: P,
      candidates: ReadonlyArray<string>,
      among?: (party: Party) => boolean
    ) => Effect.Effect<Option.Option<Found<P>>>
    /**
     * The party of an accepted token, as it is written in a header, in this process's memory; never of a Token A. Before
     * anything follows from it, `isCurrent`, `putObjectAsOf` or `record` must have confirmed `asOf`. Undefined: it takes a look-up.
     */
    readonly heldByToken: (written: string, among: (party: Party) => boolean) => HeldParty | undefined
    /** Has nothing changed of the party and its tokens since those versions? `since` as for `find`. */
    readonly isCurrent: (id: PartyId, asOf: PartyVersions, since?: number) => Effect.Effect<boolean>

    readonly putObject: (id: PartyId, object: PartyObject) => Effect.Effect<{ readonly created: boolean }>
    /** As `putObject`, only if nothing has changed of the party and its tokens since. Undefined: something has, and nothing was stored. */
    readonly putObjectAsOf: (
      id: PartyId,
      object: PartyObject,
      asOf: PartyVersions
    ) => Effect.Effect<{ readonly created: boolean } | undefined>
    /**
     * Replaces the object that was read at that revision; null: there was none. False: another fiber or process was
     * faster; read again. True also where the object already equals this one word for word, or the party is gone.
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
    /** Received objects of that id, of whichever owners: their keys end with it. Oldest first. */
    readonly receivedAs: (
      id: PartyId,
      module: string,
      objectId: string
    ) => Effect.Effect<ReadonlyArray<PartyObject>>
    /** The party that has given away the response_url with that id, as an object of `expectedResults`. */
    readonly expecting: (key: string) => Effect.Effect<Option.Option<PartyId>>
    readonly removeObject: (
      id: PartyId,
      module: string,
      side: PartyObject["side"],
      key: string
    ) => Effect.Effect<boolean>
    /**
     * Objects by `lastUpdated`, oldest first, then by key; with `order: "created"` as they were first stored, whatever
     * has changed since. `from` is inclusive, `to` exclusive. `total` ignores offset and limit.
     */
    readonly objects: (
      id: PartyId,
      module: string,
      side: PartyObject["side"],
      page: ObjectPage
    ) => Effect.Effect<{ readonly items: ReadonlyArray<PartyObject>; readonly total: number }>

    /**
     * Stores an exchange of the party, outbound or inbound, redacted. Inbound ones wake `arrivals`. Of those marked as
     * refused the latest `refusedKept` stay, and `PartyStoreMemory` keeps the latest 20,000 of all. `asOf`: only if nothing has changed of
     * the party and its tokens since. False: something has, and nothing was stored.
     */
    readonly record: (
      id: PartyId,
      exchange: Exchange,
      refused?: "refused",
      asOf?: PartyVersions
    ) => Effect.Effect<boolean>
    /** Those after a position, oldest first; in one direction, or in both. */
    readonly exchanges: (
      id: PartyId,
      after: number,
      limit: number,
      direction?: Exchange["direction"]
    ) => Effect.Effect<ReadonlyArray<Inbound>>
    /** Newest first. */
    readonly exchangesBefore: (id: PartyId, page: ExchangePage) => Effect.Effect<ReadonlyArray<Inbound>>
    /** Those with these ids that are kept, in any order. */
    readonly exchangesById: (
      id: PartyId,
      exchangeIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Exchange>>
    /** Inbound exchanges of the party after a position, oldest first. */
    readonly inboundAfter: (
      id: PartyId,
      position: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Inbound>>
    /** Position of the newest exchange of the party; 0 when there is none. */
    readonly head: (id: PartyId) => Effect.Effect<number>
    /** Tells of each party that was just called, also of calls to other processes. */
    readonly arrivals: Arrivals
  }
>() {}
