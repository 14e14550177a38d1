/**
 * Rows of connections: what the API knows about them. Protocol state (tokens, endpoints, dialect) lives in the
 * party with the same id. Port; rows in Postgres are in ConnectionStorePostgres.
 */
import { Context, type Effect, type Option } from "effect"
import type { ConnectionStatus, Environment, Role } from "../../schema/Connection.ts"
import type { ConnectionId, OwnerId } from "../../schema/Ids.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"

/** A connection as it is stored. Times are ISO 8601 UTC with milliseconds. */
export interface ConnectionRow {
  readonly id: ConnectionId
  readonly ownerId: OwnerId
  readonly label: string
  readonly environment: Environment
  readonly partnerBaseUrl: string
  readonly ourRole: Role
  readonly theirRole: Role
  readonly ocpiVersion: OcpiVersion
  readonly status: ConnectionStatus
  readonly lastError: string | null
  readonly createdAt: string
  readonly registeredAt: string | null
}

/** What may change later; an absent field stays as it is. */
export type ConnectionPatch = Partial<
  Pick<
    ConnectionRow,
    "label" | "environment" | "partnerBaseUrl" | "ocpiVersion" | "status" | "lastError" | "registeredAt"
  >
>

export interface ConnectionListQuery {
  readonly ownerId: OwnerId
  readonly status?: ConnectionStatus
  readonly ocpiVersion?: OcpiVersion
  /** Id of the last item of the page before (ids are time-ordered). */
  readonly cursor?: string
  readonly limit: number
}

/** Whose rows a call may touch: one owner's, or any (calls that a partner caused). */
export type ConnectionOwner = OwnerId | "system"

/** Dies with `DatabaseDown` (Database.ts) while Postgres is away. An id of an impossible form is simply not found. */
export class ConnectionStore extends Context.Tag("store/ConnectionStore")<
  ConnectionStore,
  {
    /** Idempotent by id. */
    readonly insert: (row: ConnectionRow) => Effect.Effect<void>
    readonly find: (owner: ConnectionOwner, id: string) => Effect.Effect<Option.Option<ConnectionRow>>
    /** Newest first. */
    readonly list: (query: ConnectionListQuery) => Effect.Effect<ReadonlyArray<ConnectionRow>>
    readonly count: (ownerId: OwnerId) => Effect.Effect<number>
    /** Answers the row after the change; none when it is not there or not the owner's. */
    readonly update: (
      owner: ConnectionOwner,
      id: string,
      patch: ConnectionPatch
    ) => Effect.Effect<Option.Option<ConnectionRow>>
    /** True when there was something to remove. Commands, reports and ledgers stay. */
    readonly remove: (owner: ConnectionOwner, id: string) => Effect.Effect<boolean>
  }
>() {}
