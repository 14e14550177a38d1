/**
 * The check of API keys: first the key, or the session that stands for it, then its rate, then the scope; so requests without
 * the scope count as well.
 */
import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { Unauthorized } from "../../../schema/Errors.ts"
import { Authentication } from "../../api/Authentication.ts"
import { ApiKeys, unauthorizedMessage } from "../../services/accounts/ApiKeys.ts"
import { AuditLog } from "../../services/accounts/AuditLog.ts"
import { RateLimits } from "../../services/accounts/RateLimits.ts"
import { requireScope } from "../../services/accounts/Scopes.ts"
import { Sessions } from "../../services/accounts/Sessions.ts"
import { traced } from "../../telemetry/traced.ts"
import { auditedActionOf } from "../request/auditEntries.ts"
import { notesOf } from "../request/requestNotes.ts"
import { scopeOf } from "../request/routes.ts"
import { sessionCookie } from "./sessionCookie.ts"
import { withinRate } from "./withinRate.ts"

/** Longer texts are no keys of ours and are not looked up. */
const maxKeyLength = 512

/**
 * The key in an Authorization header; undefined when there is none that could be ours. The platform removes seven
 * characters whatever the scheme is, so we read the header ourselves.
 */
export const bearerKey = (authorization: string | undefined): string | undefined => {
  const key = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1]
  return key === undefined || key.length > maxKeyLength ? undefined : key
}

/**
 * Implements `Authentication`; a refusal for lack of scope is written to the audit log. `publicUrl` decides which cookie
 * a session has.
 */
export const AuthenticationHttp = (options: { readonly publicUrl: string }) =>
  Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const sessions = yield* Sessions
      const cookie = sessionCookie(options.publicUrl)
      const limits = yield* RateLimits
      const audit = yield* AuditLog

      const callerOf = (request: HttpServerRequest.HttpServerRequest) => {
        const { authorization } = request.headers
        const key = bearerKey(authorization)
        if (key !== undefined) return keys.authenticate(Redacted.make(key))
        const secret = authorization === undefined ? cookie.read(request.headers) : undefined
        if (secret === undefined) return Effect.fail(new Unauthorized({ message: unauthorizedMessage }))
        return cookie.refuseForged(request).pipe(
          Effect.zipRight(sessions.find(secret)),
          Effect.map(({ caller }) => caller),
          Effect.catchTag("Unauthorized", () => new Unauthorized({ message: unauthorizedMessage }))
        )
      }
      const admitted = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const caller: Caller = yield* callerOf(request)
        return { caller, taken: yield* limits.request(caller) }
      })

      return Authentication.of({
        bearer: traced("Authentication.bearer")(function* (_credential) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { caller, taken } = notesOf(request).admitted ?? (yield* admitted(request))
          yield* withinRate(taken)
          const { route } = yield* HttpRouter.RouteContext
          yield* requireScope(caller, scopeOf(route.method, route.path)).pipe(
            Effect.tapError(() =>
              Effect.flatMap(auditedActionOf(caller), (auditedAction) =>
                audit.note(auditedAction, { status: 403 })
              )
            )
          )
          return caller
        })
      })
    })
  )
