/** Plays stages that a test makes up, against a partner of the test's, on the test clock. */
import { Context, Deferred, Effect, Fiber, Layer, Option, TestClock } from "effect"
import type { JourneyRunAction } from "../../../machines/journeyRunSetup.ts"
import type { PartnerParty } from "../../../schema/Connection.ts"
import { ConnectionId, ReportId, RunId } from "../../../schema/Ids.ts"
import type { Decision } from "../../../schema/Recovery.ts"
import { makeRunContext } from "../../../src/journeys/actor/makeRunContext.ts"
import { runActor } from "../../../src/journeys/actor/RunActor.ts"
import type { OperatorAnswer } from "../../../src/journeys/actor/RunMessage.ts"
import { makeRunMailbox } from "../../../src/journeys/actor/RunMessage.ts"
import { planOf } from "../../../src/journeys/catalogue/plan.ts"
import type { JourneyHost } from "../../../src/journeys/host/journeyHost.ts"
import { makeRunControls } from "../../../src/journeys/host/runControls.ts"
import type { JourneyStage, JourneyTemplate } from "../../../src/journeys/model/JourneyTemplate.ts"
import { journeyKind } from "../../../src/journeys/recovery/journeyKind.ts"
import { firstReads } from "../../../src/journeys/templates/asEmsp/firstReads.ts"
import { Feed } from "../../../src/ledger/feed/feed.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../../src/ledger/LedgerMemory.ts"
import { RunLogs } from "../../../src/ledger/run/RunLog.ts"
import { RunLogsLive } from "../../../src/ledger/run/RunLogsLive.ts"
import { OcpiClient } from "../../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import { holdRun } from "../../../src/runs/RunHost.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { party, type Script, scriptedPartner } from "../../support/parties/ScriptedPartner.ts"
import { claimedBy, processOf } from "../../support/runs/processes.ts"

/** Of a process that plays no run. */
const nobody: JourneyHost = {
  launch: () => Effect.dieMessage("nothing is launched here"),
  cancel: () => Effect.succeed(false),
  callWorker: () => Effect.succeed(undefined),
  has: () => false,
  logOf: () => undefined,
  workers: () => []
}

/** A stage that sends and expects nothing unless told otherwise. */
export const stage = (change: Partial<JourneyStage> & Pick<JourneyStage, "id" | "act">): JourneyStage => ({
  name: change.id,
  actor: "us",
  module: null,
  description: change.id,
  timeoutSeconds: 10,
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [],
  ...change
})

/** `refusedAt`: when a partner's call was turned away by a fault of ours. `parties`: of the partner; default: its one CPO. */
export const play = (
  stages: ReadonlyArray<JourneyStage>,
  script: Script = {},
  {
    parties = [{ role: "CPO", countryCode: "DE", partyId: "CPO", name: "CPO" }],
    refusedAt
  }: { readonly parties?: ReadonlyArray<PartnerParty>; readonly refusedAt?: string } = {}
) =>
  Effect.gen(function* () {
    const store = Context.get(yield* Layer.build(PartyStoreMemory), PartyStore)
    const us = {
      ...party,
      counterpart: {
        ...party.counterpart,
        parties
      }
    }
    yield* store.insert(us, [])
    const partner = scriptedPartner(store, script)
    const lines = memoryStore()
    const context = yield* Layer.build(
      Layer.mergeAll(
        RunLogsLive.layer({ leaseSeconds: 15 }).pipe(
          Layer.provideMerge(LedgerMemory.layer({ leaseSeconds: 15, owner: "test", store: lines }))
        ),
        partner.layer,
        Layer.mock(Handshake, {})
      )
    )
    const ledger = Context.get(context, Ledger)
    const runId = RunId.make("run_1")
    const template: JourneyTemplate = { ...firstReads, id: "made-up", stages }
    const createdAt = yield* ledger.now
    const plan = planOf(template, us, { runId, createdAt, inputs: {}, inboundFrom: 0 })
    const facts = {
      runId,
      reportId: ReportId.make("rep_1"),
      ownerId: us.ownerId,
      kind: "journey" as const,
      connectionId: ConnectionId.make(us.id),
      connectionLabel: "CPO",
      ocpiVersion: us.version,
      subjectId: template.id,
      plan,
      predecessorRunId: null,
      createdAt
    }
    const logs = Context.get(context, RunLogs)
    const first = yield* Effect.orDie(
      logs.create(journeyKind, facts, [
        { type: "run.created", key: "run/created", data: { stages: plan.stages.map(({ id }) => id), plan } }
      ])
    )
    const mailbox = yield* makeRunMailbox
    const services = {
      ledger,
      client: Context.get(context, OcpiClient),
      calls: Context.get(context, PartnerCalls),
      handshake: Context.get(context, Handshake),
      store,
      refusedSince: (since: string) =>
        Effect.succeed(Option.filter(Option.fromNullable(refusedAt), (at) => at > since)),
      publicUrl: "https://us.example",
      startSuccessor: () => Effect.succeed(undefined)
    }
    let log = first.log
    const begin = (actions: typeof first.actions) =>
      Effect.flatMap(holdRun<JourneyRunAction>(log, actions, "new"), (run) =>
        Effect.forkScoped(runActor(makeRunContext({ services, template, plan, party: us }, run, mailbox)))
      )
    let fiber = yield* begin(first.actions)
    /** Lets time pass while everything runs that can. */
    const pass = (seconds: number) =>
      Effect.gen(function* () {
        for (let second = 0; second < seconds; second++) {
          yield* Effect.repeatN(Effect.yieldNow(), 100)
          yield* TestClock.adjust("1 second")
        }
        yield* Effect.repeatN(Effect.yieldNow(), 100)
      })
    const answer = (text: string) =>
      Effect.gen(function* () {
        const taken = yield* Deferred.make<boolean>()
        yield* mailbox.post({ kind: "answer", attested: { answer: text }, taken })
        yield* pass(1)
        return yield* Deferred.await(taken)
      })
    /** The same, asked of a process that knows the run from the database only. */
    const answerElsewhere = (attested: OperatorAnswer) =>
      Effect.gen(function* () {
        const there = yield* Layer.build(
          Feed.layer().pipe(
            Layer.provideMerge(RunLogsLive.layer({ leaseSeconds: 15 })),
            Layer.provideMerge(LedgerMemory.layer({ leaseSeconds: 15, owner: "other", store: lines }))
          )
        )
        const { answer } = yield* makeRunControls(nobody, {
          leaseSeconds: 15,
          mayRestart: () => Effect.void
        }).pipe(Effect.provide(there), Effect.provideService(PartyStore, store))
        const asked = yield* Effect.fork(Effect.either(answer(us.ownerId, runId, attested)))
        yield* pass(8)
        return yield* Fiber.join(asked)
      })
    /** A call of the partner, as our side took it. `status` is the OCPI status of our answer. */
    const hear = (call: {
      readonly module: string
      readonly operation: string
      readonly method: string
      readonly url: string
      readonly body?: unknown
      readonly status?: number
      /** Default: 200. */
      readonly httpStatus?: number
      /** What we answered; default: nothing of interest. */
      readonly answer?: unknown
    }) =>
      Effect.gen(function* () {
        const at = yield* ledger.now
        const count = (yield* store.exchanges(us.id, 0, 1000)).length
        yield* store.record(us.id, {
          id: `exc_in_${count}`,
          direction: "inbound",
          module: call.module,
          operation: call.operation,
          request: {
            method: call.method,
            url: call.url,
            headers: {},
            body: call.body === undefined ? null : JSON.stringify(call.body),
            truncated: false
          },
          response: {
            httpStatus: call.httpStatus ?? 200,
            ocpiStatusCode: call.status ?? 1000,
            headers: {},
            body: JSON.stringify(call.answer ?? {}),
            truncated: false
          },
          outcome: "completed",
          startedAt: at,
          durationMs: 1,
          requestId: `r${count}`,
          correlationId: "c"
        })
        mailbox.arrived()
        yield* pass(2)
      })
    /** The process is gone at once; another takes the run up and decides so about it. */
    const loseAndDecide = (decision: Decision) =>
      Effect.gen(function* () {
        yield* Fiber.interrupt(fiber)
        yield* log.close("released")
        const row = Option.getOrThrow(yield* Effect.orDie(claimedBy(processOf(context), runId)))
        log = yield* Effect.orDie(logs.open(journeyKind, row))
        const actions = yield* Effect.orDie(
          log.record([
            { type: "run.interrupted", key: "lost", data: { reason: "The process was lost" } },
            { type: "recovery.offered", key: "offered" },
            { type: "recovery.applied", key: "decided", data: { decision, version: 1 } }
          ])
        )
        fiber = yield* begin(actions)
      })
    return {
      pass,
      loseAndDecide,
      answer,
      answerElsewhere,
      hear,
      store,
      party: us,
      partner,
      events: () => log.events(),
      view: () => log.row().snapshot.view
    }
  })
