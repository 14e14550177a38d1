/** `/settings`: the caller's account, its API keys, and what was done with them. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Account, ApiKeyView, AuditEntry, CreateApiKey, NewApiKey, RollApiKey } from "../../schema/Account.ts"
import { KeyId } from "../../schema/Ids.ts"
import { Authentication, RequiredScope } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { conflict, notFound, tooMany } from "./failures.ts"
import { Cursor, IdempotencyHeaders, Limit, optional } from "./queries.ts"

const path = Schema.Struct({ id: KeyId })
const made = ok("NewApiKeyResponse", NewApiKey)

export class SettingsApi extends HttpApiGroup.make("settings")
  .add(
    HttpApiEndpoint.get("account", "/settings/account")
      .addSuccess(ok("AccountResponse", Account))
      .annotate(OpenApi.Summary, "The account: its plan, what that includes, the limits and their use")
  )
  .add(
    HttpApiEndpoint.get("keys", "/settings/api-keys")
      .addSuccess(ok("ApiKeysResponse", Schema.Array(ApiKeyView)))
      .annotate(OpenApi.Summary, "Every API key of the account, newest first, without its secret")
  )
  .add(
    HttpApiEndpoint.post("createKey", "/settings/api-keys")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateApiKey)
      .addSuccess(made, { status: 201 })
      .addError(conflict)
      .addError(tooMany)
      .annotate(RequiredScope, "keys:write")
      .annotate(OpenApi.Summary, "Make an API key; it is shown once, and can do no more than the calling key")
  )
  .add(
    HttpApiEndpoint.post("rollKey", "/settings/api-keys/:id/roll")
      .setPath(path)
      .setHeaders(IdempotencyHeaders)
      .setPayload(RollApiKey)
      .addSuccess(made, { status: 201 })
      .addError(notFound)
      .addError(conflict)
      .addError(tooMany)
      .annotate(RequiredScope, "keys:write")
      .annotate(OpenApi.Summary, "A new key in place of an old one, which lives on for 0 to 7 days")
      .annotate(OpenApi.Transform, (operation) => ({
        ...operation,
        requestBody: { ...operation["requestBody"], required: false }
      }))
  )
  .add(
    HttpApiEndpoint.del("revokeKey", "/settings/api-keys/:id")
      .setPath(path)
      .addSuccess(ok("ApiKeyResponse", ApiKeyView))
      .addError(notFound)
      .addError(conflict)
      .annotate(RequiredScope, "keys:write")
      .annotate(OpenApi.Summary, "Revoke an API key at once; its open streams end within 5 seconds")
  )
  .add(
    HttpApiEndpoint.get("audit", "/settings/audit")
      .setUrlParams(
        Schema.Struct({
          limit: optional(Limit(25, 100)),
          cursor: optional(Cursor),
          keyId: optional(KeyId)
        })
      )
      .addSuccess(ok("AuditResponse", Schema.Array(AuditEntry)))
      .annotate(OpenApi.Summary, "What was done with the account's keys, newest first")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "The account, its limits and its API keys") {}
