/** The audit log: which API key did what, when and with which outcome. The account that owns the key can read it. */
import { Context, Effect, type Exit, Layer } from "effect"
import type { AuditEntry } from "../../../schema/Account.ts"
import type { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { everyHour } from "../../database/everyHour.ts"
import { newId } from "../../database/newId.ts"
import { type AuditPage, AuditStore } from "../../store/accounts/AuditStore.ts"

/** The action of an entry. */
export interface AuditedAction {
  readonly ownerId: OwnerId
  /** Undefined: the operator, on the command line. */
  readonly keyId?: KeyId
  /** The operation as the contract names it, e.g. `connections.create`. */
  readonly action: string
  /** Id of the object that is acted on. */
  readonly target?: string
  readonly requestId?: string
  /** An earlier answer was repeated; nothing was done. */
  readonly replay?: true
}

/** The outcome of an entry: the HTTP status, and the id of the object that was made. */
interface AuditOutcome {
  readonly status: number
  readonly result?: string
}

/** How long the audit log is kept. */
interface AuditOptions {
  /** Days for which entries are kept; default 90. */
  readonly days?: number
}

/** Writes and lists the entries of accounts. */
export class AuditLog extends Context.Tag("services/AuditLog")<
  AuditLog,
  {
    /**
     * Writes the entry, runs the work, then adds the outcome. When the process dies in between, the entry stays without
     * one.
     */
    readonly around: <A, E, R>(
      auditedAction: AuditedAction,
      work: Effect.Effect<A, E, R>,
      outcome: (exit: Exit.Exit<A, E>) => AuditOutcome
    ) => Effect.Effect<A, E, R>
    /** Writes an entry for an action that has ended. */
    readonly note: (auditedAction: AuditedAction, outcome: AuditOutcome) => Effect.Effect<void>
    /** Newest first. */
    readonly list: (owner: OwnerId, page: AuditPage) => Effect.Effect<ReadonlyArray<AuditEntry>>
  }
>() {
  /** Removes old entries every hour. */
  static readonly layer = ({ days = 90 }: AuditOptions = {}) =>
    Layer.scoped(
      AuditLog,
      Effect.gen(function* () {
        const store = yield* AuditStore
        yield* everyHour(store.prune(days), "Old audit entries could not be removed")

        const enter = Effect.fnUntraced(function* (
          auditedAction: AuditedAction,
          { result = null, status = null }: Partial<Nullable<AuditOutcome>>
        ) {
          const id = yield* newId("audit")
          const {
            action,
            keyId = null,
            ownerId,
            replay = false,
            requestId = null,
            target = null
          } = auditedAction
          yield* store.insert({ id, ownerId, keyId, action, target, status, result, requestId, replay })
          return id
        })

        const around = <A, E, R>(
          auditedAction: AuditedAction,
          work: Effect.Effect<A, E, R>,
          outcome: (exit: Exit.Exit<A, E>) => AuditOutcome
        ) =>
          Effect.flatMap(enter(auditedAction, {}), (id) =>
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

        const note = (auditedAction: AuditedAction, outcome: AuditOutcome) =>
          Effect.asVoid(enter(auditedAction, outcome))

        return AuditLog.of({ around, note, list: store.list })
      })
    )
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null }
