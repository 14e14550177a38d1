/**
 * A conformance check: one declaration. It names the probes that it needs and judges what they gathered; strength and
 * reference belong to the check, so the same finding can fail here and warn there.
 */
import type { Ambiguity, Attribution, BlockedBy, Strength } from "../../../schema/Assertion.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { CheckMode } from "../../../schema/Suite.ts"
import type { AnswerRule } from "../../findings/expectations.ts"
import type { Finding } from "../../findings/Flaw.ts"
import type { Evidence, NotGathered } from "./Evidence.ts"
import type { WaitKind } from "./Probe.ts"

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
      /** The precondition that was not met; see `blocked`. */
      readonly blockedBy?: BlockedBy
      /**
       * Absent: `ours` for `error`, `operator` for `unobservable`, `partner` for `not_tested`. `operator` is an act that a person was
       * asked for and that was not done, and nothing else.
       */
      readonly attribution?: Attribution
    }

/**
 * What must have gone well so that a check can be judged: otherwise it is `not_tested`, blocked by what went wrong, and never
 * failed or warned. What was not gathered blocks nothing. Either a check that must not have failed, when the run has it, for any
 * reason, by one answer that both judge, or by a finding that is the same; or the answers to a probe, or to a step (`probe#step`),
 * which the check then needs, too.
 */
export type Precondition =
  | {
      readonly check: string
      /** A warning blocks, too. */
      readonly orWarned?: true
      /** What was gathered is enough for this check, whatever the other one found elsewhere. */
      readonly unless?: (evidence: Evidence) => boolean
    }
  | {
      /** The check that reports an answer of this probe, where the answer breaks the rule and that check says so. */
      readonly check: string
      readonly about: string
      readonly rule: AnswerRule
    }
  | {
      readonly check: string
      /** The check reports the same elsewhere: these of its findings; undefined: there is nothing that it could report too. */
      readonly same: (evidence: Evidence) => ((finding: Finding) => boolean) | undefined
    }
  | {
      readonly answers: string
      /** What must have happened, as a noun: `a plain PUT of a token`. */
      readonly what: string
      /** Default: HTTP 2xx and an OCPI status code of success. */
      readonly rule?: AnswerRule
      /** The check that reports the same answer, and is named as the cause. */
      readonly check?: string
      /** Nothing is required of it there. */
      readonly unless?: (evidence: Evidence) => boolean
      /** What else may be the cause of a refusal, and is named instead. */
      readonly otherwise?: (evidence: Evidence) => BlockedBy | undefined
      /** Regarded where other checks of the run need that answer: it is not asked for on behalf of this one. */
      readonly ifGathered?: true
      /** Without that answer a refusal proves nothing. A wrong request that is accepted breaks the rule all the same. */
      readonly ofRefusals?: true
    }

/** Work in short steps. */
export interface Stepwise {
  /** Does one of them; false: there is none left. */
  readonly step: () => boolean
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
  /** About a partner behind a hub of ours: only in that suite. `too`: there as well. */
  readonly hub?: true | "too"
  /** It is about what two EMSPs of ours at one partner can do to each other. */
  readonly second?: true
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
  /** Probes that are judged too where other checks of the run need them: they are not run for this one. */
  readonly ifGathered?: (scope: SuiteScope) => ReadonlyArray<string>
  /** What must have gone well so that the check can be judged. The first one that has not is named as the cause. */
  readonly requires?: (scope: SuiteScope) => ReadonlyArray<Precondition>
  /**
   * What these checks report breaks this rule by its nature, too. Where one of them fails in the run as well, the report has both as one
   * cause; each is judged all the same.
   */
  readonly consequenceOf?: ReadonlyArray<string>
  /** The OCPI text can be read in two ways: a finding warns at most in the lenient profile, and names both readings. */
  readonly ambiguous?: Ambiguity
  /** Judged when some of `needs` could be gathered; otherwise only when all could. */
  readonly partial?: boolean
  /** The check judges whether that comes: silence in any wait for it is its finding, also where we stopped waiting. */
  readonly ofSilence?: WaitKind
  /** The check judges links between pages: a link to an address that partners must not use is its finding. */
  readonly ofLinks?: true
  /** The check judges HTTP 429 as any other answer. Any other check that meets one is not judged. */
  readonly ofLimits?: true
  /** What takes long before it can be judged, in short steps: others are served between two of them. */
  readonly prepare?: (evidence: Evidence) => Stepwise
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

/** All that must be gathered for a check: its needs, and the answers that it requires in any case. */
export const probesFor = (
  { needs, requires }: Pick<Check, "needs" | "requires">,
  scope: SuiteScope
): ReadonlyArray<string> => [
  ...new Set([
    ...needs(scope),
    ...(requires?.(scope) ?? []).flatMap((one) =>
      "answers" in one && one.ifGathered !== true ? [one.answers] : []
    )
  ])
]

/** No judgement, because of a precondition that was not met. `attribution`: default `partner`. */
export const blocked = (by: BlockedBy, attribution: Attribution = "partner"): Judgement => ({
  is: "inconclusive",
  outcome: "not_tested",
  reason: by.what,
  blockedBy: by,
  attribution
})

/** No judgement, because what the check needs was not gathered. What we stopped waiting for is missing by the partner's doing. */
export const notGathered = ({ attribution, blockedBy, givenUp, reason, withheld }: NotGathered): Judgement =>
  blockedBy === undefined
    ? inconclusive(withheld, reason, attribution ?? (givenUp === undefined ? undefined : "partner"))
    : blocked(blockedBy, attribution)

/** No judgement, with the outcome that is recorded and the reason. */
export const inconclusive = (
  outcome: Extract<Judgement, { is: "inconclusive" }>["outcome"],
  reason: string,
  attribution?: Attribution
): Judgement => ({
  is: "inconclusive",
  outcome,
  reason,
  ...(attribution === undefined ? {} : { attribution })
})
