/** Where one run's actor works: what it may use, what it remembers, and the only ways in which it touches the world. */
import { Clock, Deferred, Effect, Fiber, Option, Schema } from "effect"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { newId } from "../../database/newId.ts"
import type { EventDraft, Ledger, RunFacts, StaleRun } from "../../ledger/Ledger.ts"
import type { Ask, RunLog } from "../../ledger/run/RunLog.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { noteTraffic } from "../../party/outbound/noteTraffic.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { rememberAnswered } from "../../party/outbound/rememberTokens.ts"
import type { Handshake } from "../../party/registration/Handshake.ts"
import { type Party, PartyStore } from "../../store/parties/PartyStore.ts"
import type { RefusedCalls } from "../../store/parties/RefusedCalls.ts"
import { type JourneyPlan, memoryOf } from "../catalogue/plan.ts"
import type { Call } from "../model/Act.ts"
import type { JourneyTemplate } from "../model/JourneyTemplate.ts"
import { type Memory, type Purpose, purposeOf } from "../model/Memory.ts"
import type { Attested } from "./handedAnswers.ts"
import { type NearMiss, readInbox } from "./inbox.ts"
import type { Mailbox } from "./Mailbox.ts"

/** Leave the work at hand: it was asked so, and this is a point at which nothing is half done. */
export class Stop extends Schema.TaggedError<Stop>()("Stop", { why: Schema.Literal("cancel", "drain") }) {}

/** What every actor of this process shares. */
export interface Crew {
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

export interface RunDesk {
  readonly crew: Crew
  readonly log: RunLog
  readonly template: JourneyTemplate
  readonly plan: JourneyPlan
  /** As it was when the run was taken up. */
  readonly party: Party
  readonly memory: () => Memory
  readonly context: () => JourneyRunContext
  /** Writes, and keeps what the machine asks for then. */
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<void, StaleRun>
  /** What is to be done next, taken off the desk. */
  readonly takeAsk: () => Ask | undefined
  /** Reads the letters; fails when one of them asks to stop. */
  readonly safePoint: Effect.Effect<void, Stop | StaleRun>
  /** Waits for a letter, at most that long, and heeds it. */
  readonly rest: (millis: number) => Effect.Effect<void, Stop | StaleRun>
  /** Writes down a person's answer to the open checkpoint; false: none is open. */
  readonly attest: (attested: Attested) => Effect.Effect<boolean, StaleRun>
  /** Writes down what the partner has sent since the last look. `nearMiss` explains what almost fits. */
  readonly pullInbound: (stageId: string | undefined, nearMiss?: NearMiss) => Effect.Effect<void, StaleRun>
  /** Intent, request, completion: in this order, whatever happens. */
  readonly send: (order: SendOrder) => Effect.Effect<Exchange | NotSent, Stop | StaleRun>
}

export const makeDesk = (
  parts: Pick<RunDesk, "crew" | "log" | "template" | "plan" | "party">,
  mailbox: Mailbox,
  asks: ReadonlyArray<Ask>
): RunDesk => {
  const { crew, log, party, plan } = parts
  let ask = asks.at(-1)
  let stopping: Stop["why"] | undefined

  const memory = () => memoryOf(plan, log.events())
  // Runs of this kind are folded by the journey machine only.
  const context = () => log.machine().context as JourneyRunContext

  const record: RunDesk["record"] = (drafts) =>
    Effect.map(log.record(drafts), (asked) => {
      ask = asked.at(-1) ?? ask
    })

  const read = Effect.fnUntraced(function* () {
    for (const letter of yield* mailbox.collect) {
      if (letter.kind === "drain") stopping = "drain"
      if (letter.kind === "cancel") {
        if (log.machine().can({ type: "cancel.requested" })) {
          yield* record([{ type: "cancel.requested", key: "cancel/requested" }])
          stopping ??= "cancel"
        }
        yield* Deferred.succeed(letter.heard, undefined)
      }
      if (letter.kind === "answer") yield* Deferred.succeed(letter.taken, yield* attest(letter.attested))
    }
  })

  const attest: RunDesk["attest"] = Effect.fnUntraced(function* ({ answer, note }) {
    const asked = log.events().findLast(({ type }) => type === "checkpoint.requested")
    if (asked?.stageId === undefined || !log.machine().can({ type: "checkpoint.answered" })) return false
    yield* record([
      {
        type: "checkpoint.answered",
        key: `checkpoint/${asked.sequence}/answered`,
        stageId: asked.stageId,
        data: { attempt: asked.data?.["attempt"], answer, ...(note === undefined ? {} : { note }) }
      }
    ])
    return true
  })

  const heed = Effect.suspend(() => {
    if (stopping === undefined) return Effect.void
    const stop = new Stop({ why: stopping })
    // A cancelled run still has its clean-up to do; a draining process stays so.
    if (stopping === "cancel") stopping = undefined
    return Effect.fail(stop)
  })
  const safePoint = Effect.zipRight(read(), heed)

  const pullInbound: RunDesk["pullInbound"] = (stageId, nearMiss) =>
    readInbox({ crew, log, party, plan, record, template: parts.template }, stageId, nearMiss)

  /** Waits for the answer while still hearing a wish to stop: it is written down at once, and heeded after. */
  const listening = Effect.fnUntraced(function* <A>(work: Effect.Effect<A>) {
    const fiber = yield* Effect.fork(work)
    for (;;) {
      const done = yield* Effect.raceFirst(
        Effect.map(Fiber.join(fiber), Option.some),
        Effect.as(mailbox.bell, Option.none<A>())
      )
      if (Option.isSome(done)) return done.value
      yield* read()
    }
  })

  const send: RunDesk["send"] = Effect.fnUntraced(function* (order) {
    const { attempt, call, key, part, purpose, stageId, step } = order
    const exchangeId = yield* newId("exchange")
    // A stage, or the partner, may have changed the registration: endpoints and version are as they are now.
    const standing = Option.getOrElse(yield* crew.store.find(party.id), () => party)
    const prepared = yield* Effect.either(
      crew.calls.prepare(standing, { ...call, exchangeId, correlationId: plan.runId })
    )
    if (prepared._tag === "Left") return { notSent: prepared.left.message }
    yield* safePoint
    const common = {
      ...(stageId === undefined ? {} : { stageId }),
      data: {
        purpose,
        ...(attempt === undefined ? {} : { attempt }),
        ...(step === undefined ? {} : { step }),
        ...(part === undefined ? {} : { part })
      }
    }
    const startedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    const intent = crew.client.intent(prepared.right, startedAt)
    yield* record([{ type: "exchange.intended", key: `${key}/intended`, exchange: intent, ...common }])
    const answer = yield* listening(crew.client.exchange(prepared.right))
    const { exchange } = answer
    yield* Effect.provideService(rememberAnswered(party.id, prepared.right, answer), PartyStore, crew.store)
    yield* record([{ type: "exchange.completed", key: `${key}/completed`, exchange, ...common }])
    yield* Effect.provideService(noteTraffic(party, call, answer), PartyStore, crew.store)
    return exchange
  })

  return {
    ...parts,
    memory,
    context,
    record,
    takeAsk: () => {
      const taken = ask
      ask = undefined
      return taken
    },
    safePoint,
    attest,
    rest: (millis) =>
      Effect.zipRight(Effect.timeoutOption(mailbox.bell, `${Math.max(0, millis)} millis`), safePoint),
    pullInbound,
    send
  }
}

/** The intent of an attempt at a stage, or of one step of it, when there is one. */
export const intentOfAttempt = (
  events: ReadonlyArray<LedgerEvent>,
  stageId: string,
  attempt: number,
  step?: number
): LedgerEvent | undefined =>
  events.findLast(
    (event) =>
      event.type === "exchange.intended" &&
      event.stageId === stageId &&
      purposeOf(event) === "stage" &&
      event.data?.["attempt"] === attempt &&
      (step === undefined || event.data["step"] === step)
  )
