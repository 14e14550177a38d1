/**
 * A journey is data: stages in order, each with one act and what is expected of it. Nothing here does anything;
 * RunActor performs the acts and writes down what came of them.
 */
import type { Schema } from "effect"
import type { Strength } from "../../../schema/Assertion.ts"
import type { Actor } from "../../../schema/Journey.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { InterfaceRole, ModuleId } from "../../../schema/ocpi/VersionProfile.ts"
import type { Flaw } from "../../findings/Flaw.ts"
import type { JsonObject } from "../../findings/json.ts"
import type { Act, Call } from "./Act.ts"
import type { RunHistory } from "./RunHistory.ts"

/** undefined: all is well. */
export type Ruling = Flaw | { readonly unobservable: string } | { readonly notTested: string } | undefined

/** One thing that is expected. `id` is `<stage>.<rule>` and never changes once released. */
export interface Rule {
  readonly id: string
  readonly title: string
  readonly strength: Strength
  /** OCPI document and section. */
  readonly reference: string
  /** The check of the check list that it answers, e.g. `JRN-002`. */
  readonly checkId?: string
  /**
   * The rule is about messages of the partner, and this stage's request sets them off: if we were away since, a flaw
   * counts as unobservable. undefined: what it looks at cannot have been missed.
   */
  readonly setOffBy?: (history: RunHistory) => string | undefined
  readonly judge: (history: RunHistory) => Ruling
}

/** How to learn by reading what the partner may have sent while we were away. */
export interface CatchUp {
  readonly module: ModuleId
  /** The partner's list of that module. */
  readonly call: (history: RunHistory) => Call
  /** Is this object of the list what we look for? */
  readonly isOurs: (history: RunHistory, item: JsonObject) => boolean
  /** It is known, and will not change any more. */
  readonly isSettled: (history: RunHistory) => boolean
}

export interface JourneyStage {
  readonly id: string
  /** Of a pack: the template that the stage is of. Its end is not the end of the other parts. */
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
  /** The stage whose request sets off what this one hears of; what came of it while we were away may be lost to us. */
  readonly setOffBy?: (history: RunHistory) => string
  /** Only with `setOffBy`. Without it, what was missed is not to be had any more. */
  readonly catchUp?: CatchUp
  /** A reason to go no further although the stage itself may be in order. */
  readonly stopsIf?: (history: RunHistory) => string | undefined
}

/** A request that puts the partner back into a neutral state. */
export interface TidyingRequest {
  readonly sends: string
  /** A command: gets a response_url of ours before it is built. */
  readonly command?: string
  /** `responseUrl` is empty unless `command` is given. `now`: ISO 8601 UTC. */
  readonly call: (responseUrl: string, now: string) => Call
}

/** The connection is to speak that version again: PUT of our credentials, by the party itself. */
export interface GoingBack {
  readonly sends: string
  readonly goBackTo: OcpiVersion
}

export type CleanUp = TidyingRequest | GoingBack

/** How the partner is brought back to a neutral state. */
export interface Tidying {
  /**
   * What must be undone now; undefined when nothing must. `decided`: a caller has decided on it, so a clean-up that
   * was sent without a known result may be sent again.
   */
  readonly cleanUp?: (history: RunHistory, decided: boolean) => CleanUp | ReadonlyArray<CleanUp> | undefined
  /** What of this run stays at the partner however it ends, each in words, e.g. `token PF-1 in its list`. */
  readonly remains?: (history: RunHistory) => ReadonlyArray<string>
  /** Read before a clean-up, when we were away since the stage `setOffBy` sent its request. */
  readonly catchUp?: CatchUp & { readonly setOffBy: string }
}

/** The clean-ups that are needed, in the order in which they are sent. */
export const cleanUpsOf = (
  { cleanUp }: Tidying,
  history: RunHistory,
  decided: boolean
): ReadonlyArray<CleanUp> => [cleanUp?.(history, decided) ?? []].flat()

/** What the ids of a part's stages and assertions begin with. */
export const inPart = (part: string): string => `${part}.`

/** What packs are about; each has those templates that name it. */
export const packThemes = ["go-live", "money", "reservations", "resilience"] as const
export type PackTheme = (typeof packThemes)[number]

/** `unregistered`: we have the partner's Token A, and use it. `invited`: the partner has ours, and is to come. */
export type Beginning = "unregistered" | "invited"

export interface JourneyTemplate extends Tidying {
  readonly id: string
  /** Packs that it is played in, besides the smoke test of what changes nothing. */
  readonly packs?: ReadonlyArray<PackTheme>
  readonly name: string
  readonly description: string
  /** A sentence that says what holds at the end. */
  readonly outcome: string
  readonly ourRole: Role
  /** How the connection must stand when it begins; registered when unsaid. */
  readonly begins?: Beginning
  readonly supportedVersions: ReadonlyArray<OcpiVersion>
  /** Endpoints of the partner without which it cannot run. */
  readonly needs: ReadonlyArray<readonly [ModuleId, InterfaceRole]>
  readonly requiredPlan: string
  readonly expectedDurationSeconds: number
  readonly inputs: Schema.Schema.AnyNoContext
  readonly stages: ReadonlyArray<JourneyStage>
  /** A pack: the templates that it is made of, in order. Each tidies up after itself. */
  readonly parts?: ReadonlyArray<Tidying & { readonly id: string }>
}
