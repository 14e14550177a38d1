/**
 * A journey is data: stages in order, each with one act and its rules. RunActor performs the acts and records the
 * results.
 */
import type { Schema } from "effect"
import type { Attribution, Strength } from "../../../schema/Assertion.ts"
import type { Actor } from "../../../schema/Journey.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { InterfaceRole, ModuleId } from "../../../schema/ocpi/VersionProfile.ts"
import type { Flaw } from "../../findings/Flaw.ts"
import type { JsonObject } from "../../findings/json.ts"
import type { Act, Call } from "./Act.ts"
import type { ClaimedEvse, NoPlace, Place } from "./Place.ts"
import type { RunHistory } from "./RunHistory.ts"

/** A flaw, and what to change. `strength`: where a part of a rule is weaker than the rule. */
export type RuleFlaw = Flaw & { readonly hint?: string; readonly strength?: Strength }

/** The verdict of a rule; undefined: the rule is kept. `attribution`: whose act it is that something could not be observed, if not ours. */
export type Ruling =
  | RuleFlaw
  | { readonly unobservable: string; readonly attribution?: Attribution }
  | { readonly notTested: string }
  /** The version has nothing that the rule could be about. */
  | { readonly notApplicable: string }
  | undefined

/** A rule of a stage. `id` is `<stage>.<rule>` and never changes once released. */
export interface Rule {
  readonly id: string
  readonly title: string
  readonly strength: Strength
  /** OCPI document and section. */
  readonly reference: string
  /** The check of the conformance catalogue with the same subject, e.g. `JRN-002`. */
  readonly checkId?: string
  /**
   * For a rule about messages that a stage's request triggers: that stage's id. If we were away since, a flaw counts as
   * unobservable. Undefined: the rule's subject cannot have been missed.
   */
  readonly setOffBy?: (history: RunHistory) => string | undefined
  /**
   * The rule asks for what a person at the partner has to begin, such as a driver: where no call came at all, nobody may have begun,
   * and nothing in OCPI asks anybody to. Then the rule is unobservable.
   */
  readonly begunByPerson?: true
  readonly judge: (history: RunHistory) => Ruling
}

/** How to read what the partner may have sent while we were away. */
export interface CatchUp {
  readonly module: ModuleId
  /** The partner's list of that module. */
  readonly call: (history: RunHistory) => Call
  /** Is this object of the list the wanted one? */
  readonly isOurs: (history: RunHistory, item: JsonObject) => boolean
  /** Is the object known, and final? */
  readonly isSettled: (history: RunHistory) => boolean
}

/** One stage: its act, its rules, and what a recovery may do with it. */
export interface JourneyStage {
  readonly id: string
  /** In a pack: the id of the stage's template. A failure there does not end the other parts. */
  readonly part?: string
  readonly name: string
  readonly actor: Actor
  readonly module: ModuleId | null
  readonly description: string
  readonly timeoutSeconds: number
  readonly act: Act
  readonly writes: boolean
  readonly idempotent: boolean
  readonly optionalForLater: boolean
  readonly expect: ReadonlyArray<Rule>
  /** The stage whose request triggers what this one awaits; what came of it while we were away may be lost. */
  readonly setOffBy?: (history: RunHistory) => string
  /** Only with `setOffBy`. Without it, missed messages cannot be read later. */
  readonly catchUp?: CatchUp
  /** The stage looks for a free EVSE of the partner: its start tells which ones other open runs of the connection have. */
  readonly looksForEvse?: true
  /**
   * The EVSE that the run is to have from the start of this stage on, by the history and by what other open runs of the connection have.
   * Other runs do not get it until the run is over.
   */
  readonly claims?: (history: RunHistory, byOthers: ReadonlyArray<ClaimedEvse>) => Place | NoPlace
  /**
   * A request by which the run reads something of the partner again before the rules are judged, such as the location after a refused
   * command; undefined: none is needed. It has the purpose `catch-up`, so that rules about the stage's own requests leave it out.
   */
  readonly readsAgain?: (history: RunHistory) => Call | undefined
  /** A reason to end the run although the stage itself may have passed. */
  readonly stopsIf?: (history: RunHistory) => string | OurStop | undefined
}

/** A reason to end the run that is ours: what is missing may be where we did not look. */
interface OurStop {
  readonly ours: string
}

/** A request that returns the partner to a neutral state. */
interface CleanUpRequest {
  readonly sends: string
  /** A command's name: a response_url of ours is made before the request is built. */
  readonly command?: string
  /** `responseUrl` is empty unless `command` is given. `now`: ISO 8601 UTC. */
  readonly call: (responseUrl: string, now: string) => Call
}

/** Changes the connection back to a version: PUT of our credentials, by the party itself. */
interface VersionRestore {
  readonly sends: string
  readonly goBackTo: OcpiVersion
}

/** One step of a clean-up. */
export type CleanUp = CleanUpRequest | VersionRestore

/**
 * Why a clean-up is made. `end`: of the run, or of a part of a pack. `decision`: a caller has decided on it after an interruption, so
 * a clean-up that was sent without a known result may be sent again.
 */
export type CleanUpOccasion = "end" | "decision"

/** How the partner is returned to a neutral state at the end of a run. */
export interface CleanUpPlan {
  /** The clean-up that is needed now; undefined when none is. */
  readonly cleanUp?: (
    history: RunHistory,
    occasion: CleanUpOccasion
  ) => CleanUp | ReadonlyArray<CleanUp> | undefined
  /** What of this run stays at the partner whatever happens, in words, e.g. `token PF-1 in its list`. */
  readonly remains?: (history: RunHistory) => ReadonlyArray<string>
  /** Read before a clean-up, if we were away since the stage `setOffBy` sent its request. */
  readonly catchUp?: CatchUp & { readonly setOffBy: string }
}

/** The needed clean-ups, in the order in which they are sent. */
export const cleanUpsOf = (
  { cleanUp }: CleanUpPlan,
  history: RunHistory,
  occasion: CleanUpOccasion
): ReadonlyArray<CleanUp> => [cleanUp?.(history, occasion) ?? []].flat()

/** The prefix of the ids of a part's stages and assertions. */
export const inPart = (part: string): string => `${part}.`

/** The themes of packs; the pack of a theme has those templates that name it. */
export const packThemes = ["go-live", "money", "reservations", "resilience"] as const
/** A theme of `packThemes`. */
export type PackTheme = (typeof packThemes)[number]

/** `unregistered`: we have the partner's Token A, and use it. `invited`: the partner has our Token A, and registers. */
export type Beginning = "unregistered" | "invited"

/** A journey as it can be ordered. */
export interface JourneyTemplate extends CleanUpPlan {
  readonly id: string
  /** Themes of the packs with this template; smoke packs choose theirs by themselves. */
  readonly packs?: ReadonlyArray<PackTheme>
  readonly name: string
  readonly description: string
  /** A sentence that says what is true at the end. */
  readonly outcome: string
  readonly ourRole: Role
  /** The state of the connection at the start; default: registered. */
  readonly begins?: Beginning
  readonly supportedVersions: ReadonlyArray<OcpiVersion>
  /** Endpoints of the partner that the journey needs. */
  readonly needs: ReadonlyArray<readonly [ModuleId, InterfaceRole]>
  readonly requiredPlan: string
  readonly expectedDurationSeconds: number
  readonly inputs: Schema.Schema.AnyNoContext
  readonly stages: ReadonlyArray<JourneyStage>
  /** In a pack: its templates, in order. Each cleans up after itself. */
  readonly parts?: ReadonlyArray<CleanUpPlan & { readonly id: string }>
}
