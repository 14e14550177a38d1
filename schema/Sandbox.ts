/** Sandbox partners: complete OCPI parties that plugfest plays as targets of tests. */
import { Schema } from "effect"
import { Strength } from "./Assertion.ts"
import { maxInt32, Names } from "./fields/bounds.ts"
import { shownOnce } from "./fields/ShownOnce.ts"
import { ConnectionId } from "./Ids.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import { Role } from "./ocpi/Role.ts"

/**
 * What a registered sandbox partner does by itself. `quiet`: nothing. `catalogue`: it pushes its objects once, a CPO its
 * tariffs and locations, an EMSP its tokens. `lively`: it also pulls our lists once, page by page, and at a CPO the status
 * of EVSEs changes and drivers charge.
 */
export const SandboxActivity = Schema.Literal("quiet", "catalogue", "lively").annotations({
  identifier: "SandboxActivity"
})
export type SandboxActivity = typeof SandboxActivity.Type

/** Body of `POST /sandbox/partners`; `faults` are ids of the fault library. */
export const CreateSandboxPartner = Schema.Struct({
  theirRole: Role,
  ocpiVersion: OcpiVersion,
  faults: Schema.optionalWith(Names(1000), { exact: true }),
  /** The same seed gives the same locations, tariffs, sessions and CDRs. */
  seed: Schema.optionalWith(Schema.Int.pipe(Schema.between(-maxInt32, maxInt32)), { exact: true }),
  /** Id of a connection: the partner registers with us by its invitation before the request is answered. */
  initiate: Schema.optionalWith(ConnectionId, { exact: true }),
  /** Default: `catalogue`. */
  activity: Schema.optionalWith(SandboxActivity, { exact: true }),
  /** Simulated seconds per second. */
  speed: Schema.optionalWith(Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(100000)), {
    exact: true
  })
}).annotations({ identifier: "CreateSandboxPartner" })
export type CreateSandboxPartner = typeof CreateSandboxPartner.Type

/** Body of the request that makes a registered partner renew its registration with us; it may be left out. */
export const RenewSandboxPartner = Schema.Struct({
  /** The version to change to; default: the present one. */
  ocpiVersion: Schema.optionalWith(OcpiVersion, { exact: true })
}).annotations({ identifier: "RenewSandboxPartner" })
export type RenewSandboxPartner = typeof RenewSandboxPartner.Type

/** A sandbox partner that the caller owns. */
export const SandboxPartner = Schema.Struct({
  _id: Schema.String,
  theirRole: Role,
  ocpiVersion: OcpiVersion,
  /** Its versions URL: the `partnerBaseUrl` of a connection to it. */
  partnerBaseUrl: Schema.String,
  /** Shown where it was issued, by the creation or after it; null elsewhere. */
  tokenA: Schema.NullOr(shownOnce("POST /sandbox/partners/{id}/token issues another one")),
  faults: Schema.Array(Schema.String),
  seed: Schema.Int,
  speed: Schema.Number,
  activity: SandboxActivity,
  registered: Schema.Boolean,
  /** Why its last handshake failed, as the partner saw it. */
  lastError: Schema.optionalWith(Schema.String, { exact: true }),
  createdAt: Schema.String
}).annotations({ identifier: "SandboxPartner" })
export type SandboxPartner = typeof SandboxPartner.Type

/** A fault of the library; `caughtBy` lists the checks that find it. */
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
