/** Accounts, API keys and sessions: the caller, the scopes of its key, and the limits of its plan. */
import { Schema } from "effect"
import { shownOnce } from "./fields/ShownOnce.ts"
import { KeyId, OwnerId } from "./Ids.ts"

/** What an API key may do; `personal:read` shows the personal data of drivers in exports. */
export const Scope = Schema.Literal("read", "run", "connections:write", "keys:write", "personal:read")
export type Scope = typeof Scope.Type

/** Every scope, in the order of `Scope`. */
export const allScopes: ReadonlyArray<Scope> = Scope.literals

/** An API key as it is listed: without the secret, which is shown once, at creation. */
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

/** A key that was just made: `key` holds the secret, which no other answer shows. */
export const NewApiKey = Schema.Struct({
  ...ApiKeyView.fields,
  key: shownOnce("roll the key: POST /api/v1/settings/api-keys/{id}/roll")
}).annotations({ identifier: "NewApiKey" })

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Without `expiresInDays` the key does not expire. */
export const CreateApiKey = Schema.Struct({
  name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100)),
  scopes: Schema.NonEmptyArray(Scope).pipe(Schema.maxItems(20)),
  expiresInDays: optional(Schema.Int.pipe(Schema.between(1, 3650)))
}).annotations({ identifier: "CreateApiKey" })

/** `overlapDays`: how many more days the old key is accepted, 0 to 7; without it the old key ends at once. */
export const RollApiKey = Schema.Struct({
  overlapDays: optional(Schema.Number.pipe(Schema.between(0, 7)))
}).annotations({ identifier: "RollApiKey" })

/** What a plan can include. The first five concern the caller's own partners; sandbox partners need only `sandbox`. */
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

/** `used` is null where each connection has a count of its own. */
const LimitUse = Schema.Struct({
  limit: Schema.Int,
  used: Schema.NullOr(Schema.Int),
  per: Schema.String
}).annotations({ identifier: "LimitUse" })

/**
 * The account that the calling key belongs to; request rates are those of that key. `partnerCalls` to `accountKilobytes`:
 * how much partners may call and send before we answer them with 429.
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
 * One action that a key performed. `key` null: the operator did it on the command line. `target`: id of the object that was
 * acted on; `result`: id of the object that was made. `status` null: the process died before the status was known.
 * `replay`: nothing was done; an earlier answer to the same Idempotency-Key was repeated.
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

/** What somebody signs in with: an API key, or the one-time code of a link. One of both. */
export const SignIn = Schema.Struct({
  apiKey: optional(Schema.String.pipe(Schema.maxLength(512))),
  code: optional(Schema.String.pipe(Schema.maxLength(100)))
}).annotations({ identifier: "SignIn" })
export type SignIn = typeof SignIn.Type

/**
 * A session: its API key, what that key may do, and when the session ends at the latest. It ends before that when it is not used
 * for 12 hours.
 */
export const SessionView = Schema.Struct({
  keyId: KeyId,
  name: Schema.String,
  scopes: Schema.Array(Scope),
  expiresAt: Schema.String
}).annotations({ identifier: "Session" })
export type SessionView = typeof SessionView.Type

/** A link that signs one browser in, once, until `expiresAt`. Its code stands in the fragment, which no browser sends. */
export const SignInLink = Schema.Struct({
  url: shownOnce("ask for another link: POST /api/v1/session/links"),
  expiresAt: Schema.String
}).annotations({ identifier: "SignInLink" })
export type SignInLink = typeof SignInLink.Type

/** The authenticated caller of a request: its key, the owner of that key, and the owner's plan. */
export interface Caller {
  readonly ownerId: OwnerId
  readonly keyId: KeyId
  readonly scopes: ReadonlyArray<Scope>
  readonly plan: string
  /** The session by whose cookie the request came; absent when it came with the key itself. */
  readonly sessionId?: string
}
