/** What keys did: who, when, what, and with which outcome. Readable by the account that the key belongs to. */
import { Context, Effect, type Exit, Layer, Schedule } from "effect"
import type { AuditEntry } from "../../../schema/Account.ts"
import type { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { newId } from "../../database/newId.ts"
import { outlast } from "../../database/retry.ts"
import { type AuditPage, AuditStore } from "../../store/accounts/AuditStore.ts"

/** Something that is about to be done. */
export interface AuditedAction {
  readonly ownerId: OwnerId
  /** Undefined: the operator, at the command line. */
  readonly keyId?: KeyId
  /** The operation as the contract names it, e.g. `connections.create`. */
  readonly action: string
  /** Id of what it is done to. */
  readonly target?: string
  readonly requestId?: string
  /** An answer that is only given again. */
  readonly replay?: true
}

/** How it ended: the HTTP status, and the id of what was made. */
export interface AuditOutcome {
  readonly status: number
  readonly result?: string
}

export interface AuditOptions {
  /** How long entries are kept. Default 90. */
  readonly days?: number
}

export class AuditLog extends Context.Tag("services/AuditLog")<
  AuditLog,
  {
    /**
     * Does it, with an entry that is there before it begins: when the process dies meanwhile, the entry stays without
     * an outcome.
     */
    readonly around: <A, E, R>(
      deed: AuditedAction,
      work: Effect.Effect<A, E, R>,
      outcome: (exit: Exit.Exit<A, E>) => AuditOutcome
    ) => Effect.Effect<A, E, R>
    /** Something that is over already. */
    readonly note: (deed: AuditedAction, outcome: AuditOutcome) => Effect.Effect<void>
    /** Newest first. */
    readonly list: (owner: OwnerId, page: AuditPage) => Effect.Effect<ReadonlyArray<AuditEntry>>
  }
>() {
  /** While it lives, entries that are too old are removed every hour. */
  static readonly layer = ({ days = 90 }: AuditOptions = {}) =>
    Layer.scoped(
      AuditLog,
      Effect.gen(function* () {
        const store = yield* AuditStore
        yield* outlast(store.prune(days)).pipe(
          Effect.catchAllCause((cause) => Effect.logError("Old audit entries could not be removed", cause)),
          Effect.repeat(Schedule.spaced("1 hour")),
          Effect.forkScoped
        )

        const enter = (
          deed: AuditedAction,
          { result = null, status = null }: Partial<Nullable<AuditOutcome>>
        ) =>
          Effect.gen(function* () {
            const id = yield* newId("audit")
            const { action, keyId = null, ownerId, replay = false, requestId = null, target = null } = deed
            yield* store.insert({ id, ownerId, keyId, action, target, status, result, requestId, replay })
            return id
          })

        const around = <A, E, R>(
          deed: AuditedAction,
          work: Effect.Effect<A, E, R>,
          outcome: (exit: Exit.Exit<A, E>) => AuditOutcome
        ) =>
          Effect.flatMap(enter(deed, {}), (id) =>
            Effect.onExit(work, (exit) => {
              const { result = null, status } = outcome(exit)
              return store
                .end(id, status, result)
                .pipe(
                  Effect.catchAllCause((cause) =>
                    Effect.logError(`The outcome of audit entry ${id} could not be written`, cause)
                  )
                )
            })
          )

        const note = (deed: AuditedAction, outcome: AuditOutcome) => Effect.asVoid(enter(deed, outcome))

        return AuditLog.of({ around, note, list: store.list })
      })
    )
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null }
