/** Conformance suites and checks, and the request that starts a conformance run. */
import { Schema } from "effect"
import { Strength } from "./Assertion.ts"
import { IdText, Name, Names } from "./fields/bounds.ts"
import { ConnectionId } from "./Ids.ts"
import { Need } from "./Need.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import { Role } from "./ocpi/Role.ts"

/** RO: reads only. OBS: judges what the partner sends. MUT: writes at the partner. RISK: may end the registration. */
export const CheckMode = Schema.Literal("RO", "OBS", "MUT", "RISK")
export type CheckMode = typeof CheckMode.Type

/** A module that OCPI has in a version, or that a partner announces, and that no suite for its role judges. */
export const ModuleNotJudged = Schema.Struct({
  /** ModuleID. */
  module: Schema.String,
  /** With the edition of OCPI that has it, where that is not the version's own document. */
  name: Schema.String,
  /** In the report of a run: whether the partner's version details listed it when the run began. Absent: not known. */
  announced: Schema.optionalWith(Schema.Boolean, { exact: true })
})
export type ModuleNotJudged = typeof ModuleNotJudged.Type

/** A conformance suite: the checks for one OCPI version and one role of the partner. */
export const SuiteView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  ocpiVersion: OcpiVersion,
  description: Schema.String,
  theirRole: Role,
  modules: Schema.Array(Schema.String),
  checkCount: Schema.Int,
  mutating: Schema.Boolean,
  /** Modules that OCPI has in this version and no suite for this role judges, each with its name. */
  notJudged: Schema.optionalWith(Schema.Array(ModuleNotJudged), { exact: true })
}).annotations({ identifier: "Suite" })
export type SuiteView = typeof SuiteView.Type

/** Last part of the id of the suite of a first registration. */
export const registrationPart = "registration"

/** The id of a suite, `ocpi-2.2.1-cpo-core`, by its last part. */
export const suiteId = (
  { ocpiVersion, theirRole }: Pick<SuiteView, "ocpiVersion" | "theirRole">,
  part: string
): string => `ocpi-${ocpiVersion}-${theirRole.toLowerCase()}-${part}`

/** The id of the suite of a first registration: it needs a connection that is not registered, and reports why it cannot be. */
export const registrationSuite = (partner: Pick<SuiteView, "ocpiVersion" | "theirRole">): string =>
  suiteId(partner, registrationPart)

/** A check as it is listed; `reference` is the OCPI document and section. */
export const CheckView = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  module: Schema.String,
  strength: Strength,
  mode: CheckMode,
  reference: Schema.String,
  /**
   * The clauses of the reference, by which an order can select the check: `mod_cdrs, CDR Object; CdrToken class` is of `mod_cdrs`, of
   * `mod_cdrs, CDR Object` and of `mod_cdrs, CdrToken class`.
   */
  clauses: Schema.Array(Schema.String),
  sends: Schema.String,
  passes: Schema.String,
  /** What goes wrong in practice, for a driver, an operator or the bills, when a partner breaks the rule: one sentence. */
  whyItMatters: Schema.optionalWith(Schema.String, { exact: true }),
  /** What it needs beside a partner that answers: without it, it cannot be judged. */
  need: Schema.optionalWith(Need, { exact: true })
}).annotations({ identifier: "Check" })
export type CheckView = typeof CheckView.Type

/** A suite with its checks, in the order in which they run. */
export const SuiteDetail = Schema.Struct({
  ...SuiteView.fields,
  checks: Schema.Array(CheckView)
}).annotations({
  identifier: "SuiteDetail"
})
export type SuiteDetail = typeof SuiteDetail.Type

/** `lenient` (default) or `strict` grading. */
export const Profile = Schema.Literal("lenient", "strict")
export type Profile = typeof Profile.Type

/** A day (until its end, UTC), or an instant in UTC. */
const expiryForms = "2026-12-31 (until the end of that day, UTC) or 2026-12-31T12:00:00Z"
const Expiry = Schema.String.pipe(
  Schema.maxLength(30),
  Schema.pattern(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/, { description: expiryForms }),
  Schema.filter((text) => !Number.isNaN(Date.parse(text)) || "expected a day that there is"),
  Schema.annotations({ description: expiryForms })
)

const Words = (maxLength: number) => Schema.NonEmptyTrimmedString.pipe(Schema.maxLength(maxLength))

/**
 * A failure that the owner accepts for a time: a broken `must` counts as `warned` until `expires`, and in full afterwards.
 * The report says so when the check passes again.
 */
export const AcceptedDeviation = Schema.Struct({
  checkId: Name,
  reason: Words(500),
  /** The person or team responsible for the deviation. */
  owner: Words(100),
  expires: Expiry
}).annotations({ identifier: "AcceptedDeviation" })
export type AcceptedDeviation = typeof AcceptedDeviation.Type

/** By what an order selects checks of its suite; each field restricts further, and absent ones do not. */
export const SelectionOrder = Schema.Struct({
  /** Check ids or globs, e.g. `LOC-*`. */
  checks: Schema.optionalWith(Names(1000), { exact: true }),
  modules: Schema.optionalWith(Names(100), { exact: true }),
  /**
   * Clauses of OCPI by which the checks judge, as their `reference` names them: a document (`mod_sessions`), a document with
   * a section (`mod_sessions, Session Object`), or a glob of either (`mod_*`), in any case.
   */
  clauses: Schema.optionalWith(Names(100), { exact: true }),
  /** `failed-of:<reportId>`: only checks that failed in that run, of those that the other fields select. */
  only: Schema.optionalWith(
    Schema.String.pipe(
      Schema.maxLength(80),
      Schema.pattern(/^failed-of:[A-Za-z0-9_-]{1,64}$/),
      Schema.annotations({ description: "failed-of:<reportId>" })
    ),
    { exact: true }
  )
})

/** What an order says beside its connection and its suite. */
const orderFields = {
  ...SelectionOrder.fields,
  profile: Schema.optionalWith(Profile, { exact: true }),
  /**
   * Seconds to wait for what the partner sends by itself before OBS checks are judged. Default 0: they judge what came
   * before and during the run.
   */
  listenSeconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, 600)), { exact: true }),
  /**
   * What the verdict is to be about beside what every partner can be judged by. A check that could not be judged for want
   * of a kind that is not named is `not_tested`, not asked for, and does not count. `risk` grades the selected RISK checks
   * without naming them. Absent: every kind but `risk` counts.
   */
  needs: Schema.optionalWith(Schema.Array(Need).pipe(Schema.maxItems(10)), { exact: true }),
  accept: Schema.optionalWith(Schema.Array(AcceptedDeviation).pipe(Schema.maxItems(100)), { exact: true })
}

/** What a run was ordered with: with a connection and a suite it is the same order again. */
export const RunOrder = Schema.Struct(orderFields).annotations({ identifier: "RunOrder" })
export type RunOrder = typeof RunOrder.Type

/** Body of `POST /testing/runs`. */
export const StartConformanceRun = Schema.Struct({
  connectionId: Schema.optionalWith(ConnectionId, { exact: true }),
  /** In place of a connection: a sandbox partner that is made for the run, of the role and version of the suite. */
  target: Schema.optionalWith(Schema.Literal("sandbox"), { exact: true }),
  suiteId: IdText,
  ...orderFields
}).annotations({ identifier: "StartConformanceRun" })
export type StartConformanceRun = typeof StartConformanceRun.Type
