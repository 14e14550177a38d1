/** Accounts and API keys: who calls, what the key may do, and what the plan and the limits let be done. */
import { Schema } from "effect"
import { shownOnce } from "./fields/ShownOnce.ts"
import { KeyId, OwnerId } from "./Ids.ts"

export const Scope = Schema.Literal("read", "run", "connections:write", "keys:write", "personal:read")
export type Scope = typeof Scope.Type
export const allScopes: ReadonlyArray<Scope> = Scope.literals

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

/** A key that was just made: `key` is its text, here and nowhere else. */
export const NewApiKey = Schema.Struct({
  ...ApiKeyView.fields,
  key: shownOnce("roll the key: POST /api/v1/settings/api-keys/{id}/roll")
}).annotations({ identifier: "NewApiKey" })
export type NewApiKey = typeof NewApiKey.Type

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Without `expiresInDays` the key does not expire. */
export const CreateApiKey = Schema.Struct({
  name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100)),
  scopes: Schema.NonEmptyArray(Scope).pipe(Schema.maxItems(20)),
  expiresInDays: optional(Schema.Int.pipe(Schema.between(1, 3650)))
}).annotations({ identifier: "CreateApiKey" })
export type CreateApiKey = typeof CreateApiKey.Type

/** How many days the old key lives on, 0 to 7; left out, it ends at once. */
export const RollApiKey = Schema.Struct({
  overlapDays: optional(Schema.Number.pipe(Schema.between(0, 7)))
}).annotations({ identifier: "RollApiKey" })
export type RollApiKey = typeof RollApiKey.Type

/** What a plan can include. The first five on partners of the caller's own; sandbox partners need only `sandbox`. */
export const Capability = Schema.Literal(
  "connections",
  "handshake",
  "commands",
  "conformance",
  "journeys",
  "sandbox",
  "charging_profiles",
  "hub",
  "payments",
  "fault_packs",
  "signed_export"
)
export type Capability = typeof Capability.Type

/** `used` is null where it is counted for each connection on its own. */
const LimitUse = Schema.Struct({
  limit: Schema.Int,
  used: Schema.NullOr(Schema.Int),
  per: Schema.String
}).annotations({ identifier: "LimitUse" })

/**
 * The account that the calling key belongs to; its rates are those of that key. `partnerCalls` to `accountKilobytes`: what
 * partners may ask of us and send us, before they are answered 429.
 */
export const Account = Schema.Struct({
  _id: OwnerId,
  account: Schema.String,
  plan: Schema.String,
  capabilities: Schema.Array(Capability),
  limits: Schema.Struct({
    requests: LimitUse,
    commands: LimitUse,
    connectionCommands: LimitUse,
    partnerCalls: LimitUse,
    partnerKilobytes: LimitUse,
    accountCalls: LimitUse,
    accountKilobytes: LimitUse,
    runs: LimitUse,
    streams: LimitUse,
    connections: LimitUse,
    sandboxPartners: LimitUse,
    keys: LimitUse
  })
}).annotations({ identifier: "Account" })
export type Account = typeof Account.Type

/**
 * One thing that was done with a key. `key` null: by the operator, at the command line. `target`: id of what it was done
 * to; `result`: id of what was made. `status` null: the process died before it was known. `replay`: nothing was done, the
 * answer to an earlier request with the same Idempotency-Key was given again.
 */
export const AuditEntry = Schema.Struct({
  _id: Schema.String,
  at: Schema.String,
  key: Schema.NullOr(Schema.Struct({ _id: KeyId, name: Schema.String })),
  action: Schema.String,
  target: Schema.NullOr(Schema.String),
  result: Schema.NullOr(Schema.String),
  status: Schema.NullOr(Schema.Int),
  requestId: Schema.NullOr(Schema.String),
  replay: Schema.Boolean
}).annotations({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type

/** Who calls. `account` names the owner in plans and limits. */
export interface Caller {
  readonly ownerId: OwnerId
  readonly keyId: KeyId
  readonly scopes: ReadonlyArray<Scope>
  readonly plan: string
}
