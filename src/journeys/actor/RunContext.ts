/** Where one run's actor works: what it may use, what it remembers, and the only ways in which it touches the world. */
import { type Effect, Schema } from "effect"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { JourneyRunAsk } from "../../../machines/journeyRunSetup.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { isOf, type LedgerEvent, type LedgerEventOf, type Purpose } from "../../../schema/LedgerEvent.ts"
import type { EventDraft, Ledger, RunFacts, StaleRun } from "../../ledger/Ledger.ts"
import type { RunLog } from "../../ledger/run/RunLog.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import type { Handshake } from "../../party/registration/Handshake.ts"
import type { Party, PartyStore } from "../../store/parties/PartyStore.ts"
import type { RefusedCalls } from "../../store/parties/RefusedCalls.ts"
import type { JourneyPlan } from "../catalogue/plan.ts"
import type { Call } from "../model/Act.ts"
import type { JourneyTemplate } from "../model/JourneyTemplate.ts"
import { purposeOf, type RunHistory } from "../model/RunHistory.ts"
import type { OperatorAnswer } from "./RunMessage.ts"

/** Leave the work at hand: it was asked so, and this is a point at which nothing is half done. */
export class Stop extends Schema.TaggedError<Stop>()("Stop", { why: Schema.Literal("cancel", "drain") }) {}

/** What every actor of this process shares. */
export interface RunServices {
  readonly ledger: Ledger["Type"]
  readonly client: OcpiClient["Type"]
  readonly calls: PartnerCalls["Type"]
  readonly store: PartyStore["Type"]
  readonly handshake: Handshake["Type"]
  /** When a partner's call was last turned away by a fault of ours, after that time; ISO 8601 UTC. */
  readonly refusedSince: RefusedCalls["Type"]["lastSince"]
  /** Where we are reached from outside. */
  readonly publicUrl: string
  /** Starts the run that goes on instead of this one, unless it is there already. Answers why that cannot be, if so. */
  readonly startSuccessor: (facts: RunFacts, successorRunId: string) => Effect.Effect<string | undefined>
}

export interface SendOrder {
  readonly call: Call
  readonly stageId?: string
  /** Unique in the run, the same when the step is tried again. */
  readonly key: string
  readonly purpose: Purpose
  readonly attempt?: number
  /** Of a stage that sends several: which, from 0. */
  readonly step?: number
  /** Of a pack: for which of its templates, where there is no stage to say so. */
  readonly part?: string
}

/** The other side lists no such endpoint: nothing was sent. */
export interface NotSent {
  readonly notSent: string
}

/** Explains what almost fits of the message that makes the one history into the other. */
export type NearMiss = (before: RunHistory, after: RunHistory) => string | undefined

export interface RunContext {
  readonly services: RunServices
  readonly log: RunLog
  readonly template: JourneyTemplate
  readonly plan: JourneyPlan
  /** As it was when the run was taken up. */
  readonly party: Party
  readonly history: () => RunHistory
  readonly context: () => JourneyRunContext
  /** Writes, and keeps what the machine asks for then. */
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<void, StaleRun>
  /** What is to be done next, taken off the run. */
  readonly takeAsk: () => JourneyRunAsk | undefined
  /** Reads the messages to the run; fails when one of them asks to stop. */
  readonly failIfStopping: Effect.Effect<void, Stop | StaleRun>
  /** Waits for a message, at most that long, and honours it. */
  readonly sleepUntilSignal: (millis: number) => Effect.Effect<void, Stop | StaleRun>
  /** Writes down a person's answer to the open checkpoint; false: none is open. */
  readonly attest: (attested: OperatorAnswer) => Effect.Effect<boolean, StaleRun>
  /** Writes down what the partner has sent since the last look. `nearMiss` explains what almost fits. */
  readonly pullInbound: (stageId: string | undefined, nearMiss?: NearMiss) => Effect.Effect<void, StaleRun>
  /** Intent, request, completion: in this order, whatever happens. */
  readonly send: (order: SendOrder) => Effect.Effect<Exchange | NotSent, Stop | StaleRun>
}

/** The intent of an attempt at a stage, or of one step of it, when there is one. */
export const intentOfAttempt = (
  events: ReadonlyArray<LedgerEvent>,
  stageId: string,
  attempt: number,
  step?: number
): LedgerEventOf<"exchange.intended"> | undefined =>
  events
    .filter(isOf("exchange.intended"))
    .findLast(
      (event) =>
        event.stageId === stageId &&
        purposeOf(event) === "stage" &&
        event.data?.attempt === attempt &&
        (step === undefined || event.data.step === step)
    )
