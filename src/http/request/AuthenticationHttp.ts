/** The check of API keys: first the key, then its rate, then the scope; so requests without the scope count as well. */
import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import { TooMany, Unauthorized } from "../../../schema/Errors.ts"
import { Authentication } from "../../api/Authentication.ts"
import { ApiKeys, unauthorizedMessage } from "../../services/accounts/ApiKeys.ts"
import { AuditLog } from "../../services/accounts/AuditLog.ts"
import { RateLimits } from "../../services/accounts/RateLimits.ts"
import { requireScope } from "../../services/accounts/Scopes.ts"
import { deedOf } from "./audited.ts"
import { rateHeaders } from "./rateHeaders.ts"
import { noteHeaders } from "./requestNotes.ts"
import { scopeOf } from "./routes.ts"

/** Longer texts are no keys of ours and are not looked up. */
const maxKeyLength = 512

/** Implements `Authentication`; a refusal for lack of scope is written to the audit log. */
export const AuthenticationHttp = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const limits = yield* RateLimits
    const audit = yield* AuditLog

    return Authentication.of({
      bearer: Effect.fn("Authentication.bearer")(function* (_credential) {
        const request = yield* HttpServerRequest.HttpServerRequest
        // The platform removes seven characters whatever the scheme is, so we read the header ourselves.
        const key = /^bearer +([\x21-\x7e]+) *$/i.exec(request.headers["authorization"] ?? "")?.[1]
        if (key === undefined || key.length > maxKeyLength) {
          return yield* new Unauthorized({ message: unauthorizedMessage })
        }
        const caller = yield* keys.authenticate(Redacted.make(key))
        const { allowed, standing } = yield* limits.request(caller)
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
