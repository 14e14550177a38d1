/**
 * A conformance check: one declaration. It names the probes that it needs and judges what they gathered; strength and
 * reference belong to the check, so the same finding can fail here and warn there.
 */
import type { Strength } from "../../../schema/Assertion.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { CheckMode } from "../../../schema/Suite.ts"
import type { Finding } from "../../findings/Flaw.ts"
import type { Evidence } from "./Evidence.ts"

/** The parts of a run, in their order: reading, writing with clean-up, judging what was observed, risking. */
export const phases = ["read", "write", "watch", "risk"] as const
/** A part of a run; see `phases`. */
export type Phase = (typeof phases)[number]

/**
 * The result of a check, before strength and profile turn it into an outcome: pass, fail with at least one finding, or
 * inconclusive with the reason.
 */
export type Judgement =
  | { readonly is: "pass"; readonly actual?: string; readonly message?: string }
  | { readonly is: "fail"; readonly findings: ReadonlyArray<Finding> }
  | {
      readonly is: "inconclusive"
      readonly outcome: "unobservable" | "not_tested" | "not_applicable" | "error"
      readonly reason: string
    }

/** What a suite is for: a version, and the role of the partner under test. */
export interface SuiteScope {
  readonly profile: VersionProfile
  readonly role: Role
}

/** A conformance check: what it needs, and how it judges that. */
export interface Check {
  readonly id: string
  readonly title: string
  /** The stage in which it is graded. */
  readonly module: string
  readonly versions: ReadonlyArray<OcpiVersion>
  /** Roles of the partner under test. */
  readonly roles: ReadonlyArray<Role>
  readonly mode: CheckMode
  /** When it is graded, where its mode does not say: for instance an OBS check of what the partner does while we rotate. */
  readonly phase?: Phase
  /**
   * About a first registration: only in the suite for a partner that we are not registered with yet. `too`: there as well,
   * for what can be seen during one and afterwards.
   */
  readonly first?: true | "too"
  readonly strength: Strength
  /** OCPI document and section. */
  readonly reference: string
  readonly sends: string
  readonly passes: string
  /** What the partner has to change; the hint of a finding takes precedence. */
  readonly hint?: string
  /** Does the lenient profile make a failed `must` a warning in this version? */
  readonly lenient?: (profile: VersionProfile) => boolean
  /** Ids of probes, or `probe#step`: what the check is graded on, and nothing else. */
  readonly needs: (scope: SuiteScope) => ReadonlyArray<string>
  /** Judged when some of `needs` could be gathered; otherwise only when all could. */
  readonly partial?: boolean
  /** The check judges links between pages: a link to an address that partners must not use is its finding. */
  readonly ofLinks?: true
  /** The check also judges responses that are too large for us to read: its finding is about the size. */
  readonly ofSize?: true
  /** Pure. Every exchange of the needs that it sees was answered over HTTP. */
  readonly judge: (evidence: Evidence) => Judgement
}

/** Both roles: the rule does not depend on the role. */
export const either: ReadonlyArray<Role> = ["CPO", "EMSP"]

/** A pass; `actual` says what was seen. */
export const pass = (actual?: string): Judgement =>
  actual === undefined ? { is: "pass" } : { is: "pass", actual }

/** `fail` when there are findings, `pass` otherwise. */
export const noneOf = (findings: ReadonlyArray<Finding>, actual?: string): Judgement =>
  findings.length > 0 ? { is: "fail", findings } : pass(actual)

/** No judgement, with the outcome that is recorded and the reason. */
export const inconclusive = (
  outcome: Extract<Judgement, { is: "inconclusive" }>["outcome"],
  reason: string
): Judgement => ({ is: "inconclusive", outcome, reason })
