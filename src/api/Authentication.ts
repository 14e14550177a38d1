/** API keys as bearer tokens, and the scope that each endpoint needs. */
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "@effect/platform"
import { Context, Schema } from "effect"
import type { Caller, Scope } from "../../schema/Account.ts"
import { forbidden, tooMany, unauthorized } from "./failures.ts"

/** The authenticated caller of the present request. */
export class CurrentCaller extends Context.Tag("api/CurrentCaller")<CurrentCaller, Caller>() {}

/** The scope that an endpoint needs, as an annotation on it. */
export class RequiredScope extends Context.Reference<RequiredScope>()("api/RequiredScope", {
  defaultValue: (): Scope => "read"
}) {}

/**
 * What admits to an endpoint: an API key, with a session of the console in its place (`key`); that session alone
 * (`session`); or nothing is needed (`anything`).
 */
export class AdmittedBy extends Context.Reference<AdmittedBy>()("api/AdmittedBy", {
  defaultValue: (): "key" | "session" | "anything" => "key"
}) {}

/**
 * Turns `Authorization: Bearer <key>`, or the cookie of a session, into the caller, counts the request against the key's rate,
 * and checks the scope of the endpoint. All 401 bodies have the same text.
 */
export class Authentication extends HttpApiMiddleware.Tag<Authentication>()("api/Authentication", {
  failure: Schema.Union(unauthorized, forbidden, tooMany),
  provides: CurrentCaller,
  security: {
    bearer: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(
        OpenApi.Description,
        "An API key; make one with POST /api/v1/settings/api-keys or `plugfest keys create`"
      )
    )
  }
}) {}
