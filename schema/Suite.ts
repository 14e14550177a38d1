/** Conformance suites and their checks, as listed before a run. */
import { Schema } from "effect"
import { Strength } from "./Assertion.ts"
import { Role } from "./Connection.ts"
import { ConnectionId } from "./Ids.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"

/** RO: reads only. OBS: judges what the partner sends. MUT: writes at the partner. RISK: may end the registration. */
export const CheckMode = Schema.Literal("RO", "OBS", "MUT", "RISK")
export type CheckMode = typeof CheckMode.Type

export const SuiteView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  ocpiVersion: OcpiVersion,
  description: Schema.String,
  theirRole: Role,
  modules: Schema.Array(Schema.String),
  checkCount: Schema.Int,
  mutating: Schema.Boolean
}).annotations({ identifier: "Suite" })
export type SuiteView = typeof SuiteView.Type

export const CheckView = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  module: Schema.String,
  strength: Strength,
  mode: CheckMode,
  reference: Schema.String,
  sends: Schema.String,
  passes: Schema.String
}).annotations({ identifier: "Check" })
export type CheckView = typeof CheckView.Type

export const SuiteDetail = Schema.Struct({
  ...SuiteView.fields,
  checks: Schema.Array(CheckView)
}).annotations({
  identifier: "SuiteDetail"
})
export type SuiteDetail = typeof SuiteDetail.Type

export const Profile = Schema.Literal("lenient", "strict")
export type Profile = typeof Profile.Type

export const StartConformanceRun = Schema.Struct({
  connectionId: ConnectionId,
  suiteId: Schema.String,
  /** Check ids or globs, e.g. `LOC-*`. */
  checks: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  modules: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  profile: Schema.optionalWith(Profile, { exact: true })
}).annotations({ identifier: "StartConformanceRun" })
export type StartConformanceRun = typeof StartConformanceRun.Type
