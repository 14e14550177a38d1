/** What a script of a receiver is made of: its steps, the rules that their answers prove, and what all of them have in common. */
import type { BlockedBy } from "../../../../../schema/Assertion.ts"
import type { VersionProfile } from "../../../../../schema/ocpi/VersionProfile.ts"
import type { AnswerRule } from "../../../../findings/expectations.ts"
import type { Check, Judgement, Precondition, SuiteScope } from "../../../model/Check.ts"
import type { Answered, Evidence } from "../../../model/Evidence.ts"
import type { PlainRead } from "./lostFields.ts"
import type { ScriptEvidence, ScriptStep } from "./receiverSteps.ts"

/** What the answer to a step proves. */
export interface Proof {
  readonly step: ScriptStep
  /** Absent: the check needs the step, but does not judge its answer alone. */
  readonly judge?: (seen: Answered, evidence: ScriptEvidence) => Judgement
  /** Unless it passes, the proofs after it are not judged. */
  readonly isPrecondition?: true
  /** The step is valid, and passes where it is accepted. */
  readonly isAccepted?: true
  /** Judged only where that step was accepted: its refusal is no proof of the rule. */
  readonly ifTaken?: ScriptStep
  /** Compares what is read back with what was sent. */
  readonly readsBack?: true
  /** The check does not need the step: an answer that is missing or inconclusive leaves the judgement to the other proofs. */
  readonly isOptional?: true
}

type Facts = Pick<Check, "title" | "sends" | "passes"> &
  Partial<
    Pick<
      Check,
      | "consequenceOf"
      | "hint"
      | "lenient"
      | "partial"
      | "reference"
      | "requires"
      | "roles"
      | "strength"
      | "versions"
    >
  >
/** Texts and facts that override those of the rule's kind. `versions` absent: those in which one of its steps is sent. */
export type OwnFacts = Partial<Facts>

/** A check, and what proves it. */
export interface ScriptRule {
  readonly id: string
  readonly proofs: ReadonlyArray<Proof>
  readonly facts: (noun: string) => Facts
  readonly elsewhere?: Elsewhere
}

/** Answers to steps of other receivers that the rule holds for, too, where the run sends them. */
export interface Elsewhere {
  /** `probe#step`. */
  readonly steps: (scope: SuiteScope) => ReadonlyArray<string>
  readonly judge: AnswerRule
}

type Proofs = { readonly proofs: ReadonlyArray<Proof> }
/** The arguments of a kind of rule: proofs, and what overrides the kind's facts. */
export type Own = Proofs & OwnFacts

/** A rule with all its facts given, of no particular kind. */
export const rule = (
  id: string,
  { elsewhere, proofs, ...facts }: Proofs & Facts & Pick<ScriptRule, "elsewhere">
): ScriptRule => ({
  id,
  proofs,
  facts: () => facts,
  ...(elsewhere === undefined ? {} : { elsewhere })
})

/** Requests in order, and the rules that their answers prove. One script becomes one probe. */
export interface Script {
  readonly id: string
  /** In the order in which they are sent: steps that only prepare, and those of the rules, each where it is first named. */
  readonly items: ReadonlyArray<ScriptStep | ScriptRule>
}

/** A script; its id follows the module (or the receiver's prefix) in the id of its probe. */
export const script = (id: string, items: Script["items"]): Script => ({ id, items })

/** What the checks of a receiver have in common. */
export interface Receiver extends Pick<Check, "module" | "reference" | "roles"> {
  /** The name of one object in texts, such as `tariff`. */
  readonly noun: string
  /** Prefix of the probe ids; default: the module. */
  readonly probePrefix?: string
  /**
   * What shows that the partner takes such objects at all: the rule whose first step is a plain write, or another precondition.
   * Every other rule requires it: what a partner that refuses each object does with a special one proves nothing.
   */
  readonly plain: string | ((scope: SuiteScope) => ReadonlyArray<Precondition>)
  /**
   * The rule that a plain object is read back as it was sent, or where that is done elsewhere. Every other rule that compares the two
   * leaves out what is lost from each object: that says nothing about a special one.
   */
  readonly returned?: string | ((scope: SuiteScope) => ReadonlyArray<PlainRead>)
  /** Why the partner may refuse any such object although it is valid; undefined: it may not. */
  readonly excuse?: (evidence: Evidence) => BlockedBy | undefined
  /** Ids of probes that must run before. */
  readonly after?: ReadonlyArray<string>
}

/** Has the version the step? */
export const isIn = (step: ScriptStep, profile: VersionProfile) => step.isIn?.(profile) !== false
/** Is it a rule, and not a step that only prepares? */
export const isRule = (item: ScriptStep | ScriptRule): item is ScriptRule => "proofs" in item

/** The steps of a script, each where it is first named. */
export const stepsOf = (items: Script["items"]): ReadonlyArray<ScriptStep> => [
  ...new Set(items.flatMap((item) => (isRule(item) ? item.proofs.map(({ step }) => step) : [item])))
]
