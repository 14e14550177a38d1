/** The check of API keys: first the key, then its rate, then the scope; so requests without the scope count as well. */
import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import { TooMany, Unauthorized } from "../../../schema/Errors.ts"
import { Authentication } from "../../api/Authentication.ts"
import { ApiKeys, unauthorizedMessage } from "../../services/accounts/ApiKeys.ts"
import { AuditLog } from "../../services/accounts/AuditLog.ts"
import { RateLimits } from "../../services/accounts/RateLimits.ts"
import { requireScope } from "../../services/accounts/Scopes.ts"
import { traced } from "../../telemetry/traced.ts"
import { deedOf } from "./audited.ts"
import { rateHeaders } from "./rateHeaders.ts"
import { noteHeaders, notesOf } from "./requestNotes.ts"
import { scopeOf } from "./routes.ts"

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

/** Implements `Authentication`; a refusal for lack of scope is written to the audit log. */
export const AuthenticationHttp = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const limits = yield* RateLimits
    const audit = yield* AuditLog

    const admitted = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
      const key = bearerKey(headers["authorization"])
      if (key === undefined) return yield* new Unauthorized({ message: unauthorizedMessage })
      const caller = yield* keys.authenticate(Redacted.make(key))
      return { caller, taken: yield* limits.request(caller) }
    })

    return Authentication.of({
      bearer: traced("Authentication.bearer")(function* (_credential) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { caller, taken } = notesOf(request).admitted ?? (yield* admitted(request))
        const { allowed, standing } = taken
        yield* noteHeaders(rateHeaders("default", standing))
        if (!allowed) {
          yield* noteHeaders({ "retry-after": String(standing.resetSeconds) })
          const message = `At most ${standing.limit} requests a minute a key; try again in ${standing.resetSeconds} s`
          return yield* new TooMany({ message, retryAfterSeconds: standing.resetSeconds })
        }
        const { route } = yield* HttpRouter.RouteContext
        yield* requireScope(caller, scopeOf(route.method, route.path)).pipe(
          Effect.tapError(() => Effect.flatMap(deedOf(caller), (deed) => audit.note(deed, { status: 403 })))
        )
        return caller
      })
    })
  })
)
