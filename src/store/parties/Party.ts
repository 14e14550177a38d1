/** The state of a party that plugfest plays: our side of a connection, or a sandbox partner, and the faults that it is given. */
import type { Dialect, Endpoint, PartnerParty } from "../../../schema/Connection.ts"
import type { ConnectionId, OwnerId, PartyId, RunId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { SandboxActivity } from "../../../schema/Sandbox.ts"
import type { ScenarioFault } from "../../../schema/Scenario.ts"

/**
 * Faults that only conformance runs use, never scenarios. The first six affect our version information. `unavailable`:
 * HTTP 503; `invalid-object`: one object of a list is invalid, and the partner should still ask for the next page.
 */
type RunFault =
  | "unauthorized"
  | "no-json"
  | "version-missing"
  | "credentials-only"
  | "older-versions"
  | "endpoints-moved"
  | "unavailable"
  | "invalid-object"

/** A fault of our side, injected on purpose. */
export interface OurFault extends Omit<ScenarioFault, "fault"> {
  readonly fault: ScenarioFault["fault"] | RunFault
}

/** A fault that is injected while a run is open: how many times more, and until when at the latest (ISO 8601 UTC). */
export interface InjectedFault extends OurFault {
  readonly runId: RunId
  readonly left: number
  readonly until: string
}

/** An EVSE of the partner with which an open run works, so that no other run of the account takes it meanwhile. */
export interface EvseClaim {
  readonly runId: RunId
  /** The connection of the run; absent in rows of older releases: the one with whose party the claim is kept. */
  readonly connectionId?: ConnectionId
  /** What the run needs it for; one EVSE for each. */
  readonly purpose: string
  readonly locationId: string
  readonly evseUid: string
  /** The lease of the run under which it was claimed; absent in rows of older releases. */
  readonly epoch?: number
  /** Counts until then at the latest (ISO 8601 UTC). */
  readonly until: string
  /** The run needs it no more. */
  readonly isOver?: true
}

/** The state of a party. Contains no secret: tokens are read by slot. */
export interface Party {
  readonly id: PartyId
  readonly ownerId: OwnerId
  /** `connection`: our side of the connection with the same id. `sandbox`: a partner that we play. */
  readonly kind: "connection" | "sandbox"
  /** The role that plugfest plays. */
  readonly role: Role
  /** The version agreed on, or to be agreed on. */
  readonly version: OcpiVersion
  readonly identity: { readonly countryCode: string; readonly partyId: string; readonly name: string }
  /** Present where plugfest plays a hub: `identity` is the hub's, and these parties of `role` are behind it. */
  readonly hub?: { readonly clients: ReadonlyArray<Party["identity"]> }
  /** `registered` once tokens B and C are exchanged. */
  readonly registration: "none" | "registered"
  /** What is known of the other side. */
  readonly counterpart: {
    readonly role: Role
    /** Its versions URL; empty while a sandbox partner waits to be called. */
    readonly versionsUrl: string
    /** URL of the version details that named the endpoints; absent in rows of older releases, and before a handshake. */
    readonly detailsUrl?: string | undefined
    readonly endpoints: ReadonlyArray<Endpoint>
    readonly parties: ReadonlyArray<PartnerParty> | null
  }
  readonly dialect: Dialect
  readonly registeredAt: string | null
  /** A credentials request or an unregistration in progress: a state of machines/handshake, and since when. */
  readonly open?: {
    readonly id: string
    readonly state: "registering" | "answering" | "rotating" | "renewing" | "ending"
    readonly since: string
  } | null
  /**
   * Why the partner's last call on our credentials failed, beginning with a class of error; null after one that
   * succeeded.
   */
  readonly lastError?: string | null | undefined
  /** Our Token A for the counterpart, which expires. */
  readonly invitation?: {
    readonly state: "open" | "used" | "withdrawn"
    readonly issuedAt: string
    readonly expiresAt: string
  }
  /** Sandbox partners only: faults, seed, speed, and what the partner does unasked (default: nothing). */
  readonly sandbox: {
    readonly faults: ReadonlyArray<string>
    readonly seed: number
    readonly speed: number
    readonly activity?: SandboxActivity
    /** An order with the target `sandbox` has made it. */
    readonly isTarget?: true
  } | null
  /** Connections only: the injected faults of open runs. */
  readonly playing?: ReadonlyArray<InjectedFault>
  /** Connections only: the EVSEs of open runs, and of some that are over. */
  readonly claims?: ReadonlyArray<EvseClaim>
  /** Connections only: the party of the account's first connection to this partner, with which the claims are kept; absent: this one. */
  readonly claimsAt?: PartyId
}
