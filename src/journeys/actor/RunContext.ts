/** The context in which one run's actor works: its services, its state, and its only ways to record and to send. */
import { type Effect, Schema } from "effect"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { JourneyRunAction } from "../../../machines/journeyRunSetup.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { isEventOf, type LedgerEvent, type LedgerEventOf, type Purpose } from "../../../schema/LedgerEvent.ts"
import type { EventDraft, Ledger, RunFacts, StaleRun } from "../../ledger/Ledger.ts"
import type { RunLog } from "../../ledger/run/RunLog.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import type { Handshake } from "../../party/registration/Handshake.ts"
import type { RefusedCalls } from "../../store/parties/exchanges/RefusedCalls.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import type { JourneyPlan } from "../catalogue/plan.ts"
import type { Call } from "../model/Act.ts"
import type { JourneyTemplate } from "../model/JourneyTemplate.ts"
import { purposeOf, type RunHistory } from "../model/RunHistory.ts"
import type { OperatorAnswer } from "./RunMessage.ts"

/** Interrupts the work at a safe point, because the run was cancelled or the process shuts down. */
export class Stop extends Schema.TaggedError<Stop>()("Stop", { why: Schema.Literal("cancel", "drain") }) {}

/** The services that all actors of this process share. */
export interface RunServices {
  readonly ledger: Ledger["Type"]
  readonly client: OcpiClient["Type"]
  readonly calls: PartnerCalls["Type"]
  readonly store: PartyStore["Type"]
  readonly handshake: Handshake["Type"]
  /** The last time after `since` at which we answered a call of the partner with a server error; both ISO 8601 UTC. */
  readonly refusedSince: RefusedCalls["Type"]["lastSince"]
  /** The URL under which partners reach this service. */
  readonly publicUrl: string
  /** Starts the run that replaces this one, unless it exists. Returns why it cannot be started, or undefined. */
  readonly startSuccessor: (facts: RunFacts, successorRunId: string) => Effect.Effect<string | undefined>
}

/** A request to the partner, and how the ledger names it. */
interface SendOrder {
  readonly call: Call
  readonly stageId?: string
  /** Idempotency key: unique in the run, the same when the step is retried. */
  readonly key: string
  readonly purpose: Purpose
  readonly attempt?: number
  /** The index of the request in a stage that sends several, from 0. */
  readonly step?: number
  /** In a pack: the template to which the request belongs, if no stage says so. */
  readonly part?: string
}

/** Why nothing was sent: the partner lists no endpoint for the request. */
interface NotSent {
  readonly notSent: string
}

/** Explains why the message by which `after` extends `before` almost matches what is awaited; undefined if it does not. */
type NearMiss = (before: RunHistory, after: RunHistory) => string | undefined

/** What one run's actor works with. `StaleRun`: another process owns the run; `Stop`: the actor must stop here. */
export interface RunContext {
  readonly services: RunServices
  readonly log: RunLog
  readonly template: JourneyTemplate
  readonly plan: JourneyPlan
  /** The party as it was when this process began to work on the run. */
  readonly party: Party
  readonly history: () => RunHistory
  readonly context: () => JourneyRunContext
  /** Appends events and keeps the action that the machine then requests. */
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<void, StaleRun>
  /** The same for events that need not be in the ledger before the next `record`: nothing leaves the process until then. */
  readonly buffer: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<void, StaleRun>
  /** Takes the action that the machine requested last; undefined if there is none. */
  readonly takeAction: () => JourneyRunAction | undefined
  /** Reads the mailbox; fails with `Stop` if a message requests it. */
  readonly failIfStopping: Effect.Effect<void, Stop | StaleRun>
  /** Waits for a message, at most so many milliseconds, and handles it. */
  readonly sleepUntilSignal: (millis: number) => Effect.Effect<void, Stop | StaleRun>
  /** Records an operator's answer to the open checkpoint; false if none is open. */
  readonly attest: (attested: OperatorAnswer) => Effect.Effect<boolean, StaleRun>
  /** Records the calls that the partner has made since the last time. */
  readonly pullInbound: (stageId: string | undefined, nearMiss?: NearMiss) => Effect.Effect<void, StaleRun>
  /** Records the intent, sends the request, records the completion. */
  readonly send: (order: SendOrder) => Effect.Effect<Exchange | NotSent, Stop | StaleRun>
}

/** The intent that an attempt at a stage, or one step of it, has recorded; undefined if there is none. */
export const intentOfAttempt = (
  events: ReadonlyArray<LedgerEvent>,
  stageId: string,
  attempt: number,
  step?: number
): LedgerEventOf<"exchange.intended"> | undefined =>
  events
    .filter(isEventOf("exchange.intended"))
    .findLast(
      (event) =>
        event.stageId === stageId &&
        purposeOf(event) === "stage" &&
        event.data?.attempt === attempt &&
        (step === undefined || event.data.step === step)
    )
