/** Bearer keys: who calls, and which scope each endpoint asks for. */
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "@effect/platform"
import { Context, Schema } from "effect"
import type { Caller, Scope } from "../../schema/Account.ts"
import { forbidden, tooMany, unauthorized } from "./failures.ts"

/** The caller, as the key says. */
export class CurrentCaller extends Context.Tag("api/CurrentCaller")<CurrentCaller, Caller>() {}

/** The scope that an endpoint needs, as an annotation on it. */
export class RequiredScope extends Context.Reference<RequiredScope>()("api/RequiredScope", {
  defaultValue: (): Scope => "read"
}) {}

/**
 * Turns `Authorization: Bearer <key>` into the caller, checks the endpoint's scope and takes one from the key's rate.
 * All 401 bodies are the same text.
 */
export class Authentication extends HttpApiMiddleware.Tag<Authentication>()("api/Authentication", {
  failure: Schema.Union(unauthorized, forbidden, tooMany),
  provides: CurrentCaller,
  security: {
    bearer: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "An API key, made in the application under Settings")
    )
  }
}) {}
