/** Sandbox partners: complete OCPI parties that the service plays, to be tested against. */
import { Schema } from "effect"
import { Strength } from "./Assertion.ts"
import { maxInt32, Names } from "./fields/bounds.ts"
import { shownOnce } from "./fields/ShownOnce.ts"
import { ConnectionId } from "./Ids.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import { Role } from "./ocpi/Role.ts"

/**
 * What a sandbox partner does of its own accord once it is registered. `quiet`: nothing. `catalogue`: it sends what it
 * has, once: a CPO its tariffs and locations, an EMSP its tokens. `lively`: it also reads our lists, once, page by page, and a
 * CPO's EVSEs change and drivers charge.
 */
export const SandboxActivity = Schema.Literal("quiet", "catalogue", "lively").annotations({
  identifier: "SandboxActivity"
})
export type SandboxActivity = typeof SandboxActivity.Type

export const CreateSandboxPartner = Schema.Struct({
  theirRole: Role,
  ocpiVersion: OcpiVersion,
  faults: Schema.optionalWith(Names(1000), { exact: true }),
  /** The same seed gives the same locations, tariffs, sessions and CDRs. */
  seed: Schema.optionalWith(Schema.Int.pipe(Schema.between(-maxInt32, maxInt32)), { exact: true }),
  /** Id of a connection: the partner registers with us by its invitation, before this is answered. */
  initiate: Schema.optionalWith(ConnectionId, { exact: true }),
  /** `catalogue` when it is left out. */
  activity: Schema.optionalWith(SandboxActivity, { exact: true }),
  /** Simulated seconds per second. */
  speed: Schema.optionalWith(Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(100000)), {
    exact: true
  })
}).annotations({ identifier: "CreateSandboxPartner" })
export type CreateSandboxPartner = typeof CreateSandboxPartner.Type

/** How a registered partner is to renew its registration with us; a body may be left out. */
export const RenewSandboxPartner = Schema.Struct({
  /** The version to go over to; the present one when it is left out. */
  ocpiVersion: Schema.optionalWith(OcpiVersion, { exact: true })
}).annotations({ identifier: "RenewSandboxPartner" })
export type RenewSandboxPartner = typeof RenewSandboxPartner.Type

export const SandboxPartner = Schema.Struct({
  _id: Schema.String,
  theirRole: Role,
  ocpiVersion: OcpiVersion,
  /** Its versions URL, to be given as partnerBaseUrl of a connection. */
  partnerBaseUrl: Schema.String,
  /** Shown at creation only; null afterwards. */
  tokenA: Schema.NullOr(shownOnce("remove the partner and make another one")),
  faults: Schema.Array(Schema.String),
  seed: Schema.Int,
  speed: Schema.Number,
  activity: SandboxActivity,
  registered: Schema.Boolean,
  /** Why its last handshake did not work, as the partner sees it. */
  lastError: Schema.optionalWith(Schema.String, { exact: true }),
  createdAt: Schema.String
}).annotations({ identifier: "SandboxPartner" })
export type SandboxPartner = typeof SandboxPartner.Type

export const FaultView = Schema.Struct({
  id: Schema.String,
  module: Schema.String,
  versions: Schema.Array(OcpiVersion),
  roles: Schema.Array(Role),
  strength: Strength,
  description: Schema.String,
  caughtBy: Schema.Array(Schema.String)
}).annotations({ identifier: "Fault" })
export type FaultView = typeof FaultView.Type
