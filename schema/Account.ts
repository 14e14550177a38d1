/** API keys: who calls, and what the key may do. */
import { Schema } from "effect"
import { KeyId, type OwnerId } from "./Ids.ts"

export const Scope = Schema.Literal("read", "run", "connections:write", "keys:write")
export type Scope = typeof Scope.Type
export const allScopes: ReadonlyArray<Scope> = ["read", "run", "connections:write", "keys:write"]

/** A key as it is listed: the secret itself is shown once, at creation. */
export const ApiKeyView = Schema.Struct({
  _id: KeyId,
  name: Schema.String,
  prefix: Schema.String,
  last4: Schema.String,
  scopes: Schema.Array(Scope),
  createdAt: Schema.String,
  expiresAt: Schema.NullOr(Schema.String),
  lastUsedAt: Schema.NullOr(Schema.String),
  revokedAt: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ApiKey" })
export type ApiKeyView = typeof ApiKeyView.Type

/** Who calls. `account` names the owner in plans and limits. */
export interface Caller {
  readonly ownerId: OwnerId
  readonly keyId: KeyId
  readonly scopes: ReadonlyArray<Scope>
  readonly plan: string
}
