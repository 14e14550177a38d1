/** What all handlers share: Retry-After on errors, and for commands audit log and Idempotency-Key. */
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { TooMany } from "../../../schema/Errors.ts"
import { CurrentCaller } from "../../api/Authentication.ts"
import { statusesOfErrors } from "../../api/failures.ts"
import { DetachedWork } from "../../services/requests/DetachedWork.ts"
import { Idempotency } from "../../services/requests/Idempotency.ts"
import { jsonText } from "../answer/answers.ts"
import { bodyOf, errorBody, okText } from "../answer/bodies.ts"
import { rateHeaders } from "../answer/rateHeaders.ts"
import { audited, auditedActionOf, auditReplay } from "./auditEntries.ts"
import { replayOf } from "./replays.ts"
import { noteHeaders, notesOf } from "./requestNotes.ts"
import { successStatusOf } from "./routes.ts"

interface Failure {
  readonly _tag: string
  readonly message: string
  readonly retryAfterSeconds?: number
  readonly rate?: NonNullable<TooMany["rate"]>
}

/** Failures after work was done; they are stored as the answer for repeated requests. */
const isKept = ({ _tag }: Failure): boolean => _tag === "Unsupported"

/** A handler that only reads for the current caller. */
export const query = <A, E extends Failure, R>(read: (caller: Caller) => Effect.Effect<A, E, R>) =>
  withRetryHeaders(Effect.flatMap(CurrentCaller, read))

/** The same where what is read is JSON text already, in the contract's form. */
export const queryText = <E extends Failure, R>(read: (caller: Caller) => Effect.Effect<string, E, R>) =>
  query((caller) => Effect.map(read(caller), (data) => jsonText(okText(data))))

/** Adds Retry-After to the answer where the failure says when to try again. */
export const withRetryHeaders = <A, E extends Failure, R>(work: Effect.Effect<A, E, R>) =>
  Effect.tapError(work, ({ rate, retryAfterSeconds }) =>
    retryAfterSeconds === undefined
      ? Effect.void
      : noteHeaders({
          "retry-after": String(retryAfterSeconds),
          ...(rate === undefined ? {} : rateHeaders(rate.policy, rate))
        })
  )

/**
 * A handler that changes something for the current caller. The work goes on when the client disconnects. With an
 * Idempotency-Key it is done once, and each attempt makes objects with the same ids (IdempotentRequest.ts). The audit log
 * records it, and repeated answers as such. The status is that of the contract; the body is written without its schema, for speed
 * (`bodies.ts`). `later` makes the data of the answer, as JSON text, of what was done, now or by an earlier request with the key; it
 * may wait, because the work is finished and kept.
 */
export const command = Effect.fnUntraced(function* <
  A,
  E extends Failure,
  R,
  F extends Failure = never,
  S = never
>(
  act: (caller: Caller) => Effect.Effect<A, E, R>,
  later?: (caller: Caller, answer: { readonly data: A }) => Effect.Effect<string, F, S>
) {
  const caller = yield* CurrentCaller
  const { action } = yield* auditedActionOf(caller)
  const status = successStatusOf(action)
  const work = audited(caller, act(caller))
  const request = yield* HttpServerRequest.HttpServerRequest
  const idempotency = yield* Idempotency
  const detached = yield* DetachedWork
  const key = request.headers["idempotency-key"]
  if (key === undefined) {
    const data = yield* detached.run(work)
    return jsonText(later === undefined ? bodyOf(data) : okText(yield* later(caller, { data })), status)
  }
  const [path, query = ""] = request.url.split("?", 2)
  const endpoint = `${request.method} ${path}`
  const asked = { query, body: notesOf(request).body }
  const { keyId, ownerId, scopes } = caller
  const { answer, isReplay } = yield* idempotency.once(
    { ownerId, keyId, scopes, endpoint, key, request: asked },
    work.pipe(
      Effect.map((data) => {
        const answer = { status, headers: {}, body: bodyOf(data) }
        return { answer, kept: replayOf(action, answer) }
      }),
      Effect.catchAll((error) => {
        const failed = statusesOfErrors[error._tag]
        if (failed === undefined || !isKept(error)) return Effect.fail(error)
        const answer = { status: failed, headers: {}, body: errorBody(error.message) }
        return Effect.succeed({ answer, kept: answer })
      })
    )
  )
  if (isReplay) yield* auditReplay(caller, answer)
  const isDone = later !== undefined && answer.status === status
  const body = isDone ? okText(yield* later(caller, JSON.parse(answer.body))) : answer.body
  return jsonText(body, answer.status, answer.headers)
}, withRetryHeaders)
