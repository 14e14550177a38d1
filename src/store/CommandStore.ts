/** Rows of commands sent to partners. Their asynchronous results are kept by the party. Port; see CommandStorePostgres. */
import { Context, type Effect, type Option } from "effect"
import type { CommandName, CommandState } from "../../schema/Command.ts"
import type { Exchange } from "../../schema/Exchange.ts"
import type { CommandId, ConnectionId, OwnerId } from "../../schema/Ids.ts"

/** A command as it is stored. Times are ISO 8601 UTC with milliseconds. */
export interface CommandRow {
  readonly commandId: CommandId
  readonly ownerId: OwnerId
  readonly connectionId: ConnectionId
  readonly command: CommandName
  readonly state: CommandState
  /** Null until the exchange ended. */
  readonly exchange: Exchange | null
  /** Until when the asynchronous result counts; null when none is awaited. */
  readonly deadline: string | null
  readonly createdAt: string
}

/** What may change later; an absent field stays as it is. */
export type CommandPatch = Partial<Pick<CommandRow, "state" | "exchange" | "deadline">>

/** Dies with `DatabaseDown` (Database.ts) while Postgres is away. An id of an impossible form is simply not found. */
export class CommandStore extends Context.Tag("store/CommandStore")<
  CommandStore,
  {
    /** Idempotent by id. */
    readonly insert: (row: CommandRow) => Effect.Effect<void>
    /** Answers the row after the change; none when it is not there. */
    readonly update: (
      ownerId: OwnerId,
      id: string,
      patch: CommandPatch
    ) => Effect.Effect<Option.Option<CommandRow>>
    readonly find: (ownerId: OwnerId, id: string) => Effect.Effect<Option.Option<CommandRow>>
    /** Newest first; `cursor` is the id of the last item of the page before. */
    readonly list: (
      ownerId: OwnerId,
      connectionId: string,
      page: { readonly cursor?: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<CommandRow>>
  }
>() {}
