/** `/settings`: the caller's account, its API keys and their audit log. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Account, ApiKeyView, AuditEntry, CreateApiKey, NewApiKey, RollApiKey } from "../../schema/Account.ts"
import { EgressAnswer, EgressQuestion } from "../../schema/Connection.ts"
import { KeyId } from "../../schema/Ids.ts"
import { Authentication, RequiredScope } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { conflict, notFound, tooMany } from "./failures.ts"
import { Cursor, IdempotencyHeaders, Limit, optional } from "./queries.ts"

const path = Schema.Struct({ id: KeyId })
const made = ok("NewApiKeyResponse", NewApiKey)

/** Operations on the account of the calling key. */
export class SettingsApi extends HttpApiGroup.make("settings")
  .add(
    HttpApiEndpoint.get("account", "/settings/account")
      .addSuccess(ok("AccountResponse", Account))
      .annotate(OpenApi.Summary, "Read the account: its plan, the capabilities, the limits and their use")
  )
  .add(
    HttpApiEndpoint.get("keys", "/settings/api-keys")
      .addSuccess(ok("ApiKeysResponse", Schema.Array(ApiKeyView)))
      .annotate(OpenApi.Summary, "List the API keys of the account, newest first, without their secrets")
  )
  .add(
    HttpApiEndpoint.post("createKey", "/settings/api-keys")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateApiKey)
      .addSuccess(made, { status: 201 })
      .addError(conflict)
      .addError(tooMany)
      .annotate(RequiredScope, "keys:write")
      .annotate(
        OpenApi.Summary,
        "Make an API key; its secret is shown once, and its scopes must be among those of the calling key"
      )
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
      .annotate(
        OpenApi.Summary,
        "Replace an API key by a new one; the old one is accepted for 0 to 7 more days"
      )
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
      .annotate(OpenApi.Summary, "Read the audit log of the account's API keys, newest first")
  )
  .add(
    HttpApiEndpoint.post("egress", "/settings/egress")
      .setPayload(EgressQuestion)
      .addSuccess(ok("EgressResponse", EgressAnswer))
      .annotate(RequiredScope, "connections:write")
      .annotate(OpenApi.Summary, "May the service call this URL, and which rule decides? Sends nothing to it")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "The account, its limits and its API keys") {}
