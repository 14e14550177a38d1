/** Audit log entries of requests. */
import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Cause, Effect, Exit, Option } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { statusesOfErrors } from "../../api/failures.ts"
import { type AuditedAction, AuditLog } from "../../services/accounts/AuditLog.ts"
import type { StoredAnswer } from "../../store/accounts/IdempotencyStore.ts"
import { notesOf } from "./requestNotes.ts"
import { operationOf, successStatusOf } from "./routes.ts"

/** The current request as an action of the caller. */
export const auditedActionOf = Effect.fnUntraced(function* ({ keyId, ownerId }: Caller) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { params, route } = yield* HttpRouter.RouteContext
  const { requestId } = notesOf(request)
  const action = operationOf(route.method, route.path)
  const { id } = params
  const auditedAction: AuditedAction = {
    ownerId,
    keyId,
    action,
    requestId,
    ...(id === undefined ? {} : { target: id })
  }
  return auditedAction
})

/** Runs the work with an entry in the audit log. */
export const audited = Effect.fnUntraced(function* <A, E extends { readonly _tag: string }, R>(
  caller: Caller,
  work: Effect.Effect<A, E, R>
) {
  const log = yield* AuditLog
  const auditedAction = yield* auditedActionOf(caller)
  return yield* log.around(auditedAction, work, (exit) => {
    if (Exit.isFailure(exit)) return { status: statusOf(exit.cause) }
    const result = idIn(exit.value)
    return { status: successStatusOf(auditedAction.action), ...(result === undefined ? {} : { result }) }
  })
})

/** Writes an entry for a repeated answer. */
export const auditReplay = Effect.fnUntraced(function* (caller: Caller, { body, status }: StoredAnswer) {
  const log = yield* AuditLog
  const result = idIn((JSON.parse(body) as { readonly data?: unknown }).data) // an envelope of ours
  yield* log.note(
    { ...(yield* auditedActionOf(caller)), replay: true },
    { status, ...(result === undefined ? {} : { result }) }
  )
})

function statusOf(cause: Cause.Cause<{ readonly _tag: string }>): number {
  return Option.match(Cause.failureOption(cause), {
    onNone: () => 500,
    onSome: ({ _tag }) => statusesOfErrors[_tag] ?? 500
  })
}

/** The fields that hold an id, by kind of object. */
const idFields = ["_id", "runId", "commandId", "id"] as const

/** The id of the object in an answer; undefined if it has none. */
export function idIn(made: unknown): string | undefined {
  if (typeof made !== "object" || made === null) return undefined
  for (const field of idFields) {
    const id = (made as Readonly<Record<string, unknown>>)[field]
    if (typeof id === "string") return id
  }
  return undefined
}
