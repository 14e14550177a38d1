/**
 * Journeys of many stages without a partner's time: the real actor, machine, fold and ledger on Postgres. Each stage sends a
 * request, which is answered in memory, keeps it before and after, and judges its answer.
 */
import { Context, Effect, Exit, Layer, Option, Scope } from "effect"
import pg from "pg"
import type { JourneyRunAction } from "../../machines/journeyRunSetup.ts"
import { ConnectionId } from "../../schema/Ids.ts"
import { migrate } from "../../src/database/migrate.ts"
import { migrations } from "../../src/database/migrations/all.ts"
import { SharedTime } from "../../src/database/SharedTime.ts"
import { makeRunContext } from "../../src/journeys/actor/makeRunContext.ts"
import { runActor } from "../../src/journeys/actor/RunActor.ts"
import { makeRunMailbox } from "../../src/journeys/actor/RunMessage.ts"
import { planOf } from "../../src/journeys/catalogue/plan.ts"
import type { JourneyStage, JourneyTemplate } from "../../src/journeys/model/JourneyTemplate.ts"
import { answeredWith } from "../../src/journeys/model/rulings.ts"
import { journeyKind } from "../../src/journeys/recovery/journeyKind.ts"
import { firstReads } from "../../src/journeys/templates/asEmsp/firstReads.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerPostgres } from "../../src/ledger/postgres/LedgerPostgres.ts"
import { RunLogs } from "../../src/ledger/run/RunLog.ts"
import { RunLogsLive } from "../../src/ledger/run/RunLogsLive.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import { Handshake } from "../../src/party/registration/Handshake.ts"
import { PlacementMemory } from "../../src/placement/PlacementMemory.ts"
import { holdRun } from "../../src/runs/RunHost.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { unmeasured } from "../../src/telemetry/unmeasured.ts"
import { party, scriptedPartner } from "../../test/support/parties/ScriptedPartner.ts"
import { newFacts } from "../sampleRun.ts"

export interface OurJourneys {
  /** Keeps so many under way for so long; answers how many ended a second. */
  readonly rate: (abreast: number, seconds: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** Without spans and counts of fibers, as the service works if no collector of traces is named. */
const asInTheService = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.withTracerEnabled(unmeasured(work), false)

const stageOf = (id: string): JourneyStage => ({
  id,
  name: id,
  actor: "us",
  module: "locations",
  description: id,
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET locations",
    call: () => ({ module: "locations", interfaceRole: "SENDER", operation: "list", method: "GET" })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: `${id}.answered`,
      title: "The partner answers",
      strength: "must",
      reference: "mod_locations, Sender Interface GET",
      judge: answeredWith(id, [200])
    }
  ]
})

/** On an empty database. */
export async function ourJourneys(database: string, steps: number): Promise<OurJourneys> {
  await Effect.runPromise(Effect.scoped(migrate({ connectionString: database }, migrations)))
  const pool = new pg.Pool({ connectionString: database, max: 10 })
  const scope = Effect.runSync(Scope.make())
  const build = <A, E>(layer: Layer.Layer<A, E>) => Effect.runPromise(Layer.buildWithScope(layer, scope))
  const store = Context.get(await build(PartyStoreMemory), PartyStore)
  await Effect.runPromise(store.insert(party, []))
  const context = await build(
    Layer.mergeAll(
      RunLogsLive.layer({ leaseSeconds: 600 }).pipe(
        Layer.provideMerge(
          LedgerPostgres.layer({ pool: Effect.succeed(pool), owner: "bench", leaseSeconds: 600 })
        ),
        Layer.provideMerge(PlacementMemory.layer({ processId: "bench", leaseSeconds: 600 })),
        Layer.provide(SharedTime.layer)
      ),
      scriptedPartner(store).layer,
      Layer.mock(Handshake, {})
    )
  )
  const template: JourneyTemplate = {
    ...firstReads,
    id: "steps",
    stages: Array.from({ length: steps }, (_, index) => stageOf(`step-${index}`))
  }
  const services = {
    ledger: Context.get(context, Ledger),
    client: Context.get(context, OcpiClient),
    calls: Context.get(context, PartnerCalls),
    handshake: Context.get(context, Handshake),
    store,
    refusedSince: () => Effect.succeed(Option.none()),
    publicUrl: "https://us.example",
    startSuccessor: () => Effect.succeed(undefined)
  }
  const logs = Context.get(context, RunLogs)

  const play = Effect.gen(function* () {
    const made = newFacts()
    const createdAt = yield* services.ledger.now
    const plan = planOf(template, party, { runId: made.runId, createdAt, inputs: {}, inboundFrom: 0 })
    const facts = {
      ...made,
      connectionId: ConnectionId.make(party.id),
      ocpiVersion: party.version,
      subjectId: template.id,
      plan,
      createdAt
    }
    const stages = plan.stages.map(({ id }) => id)
    const { actions, log } = yield* logs.create(journeyKind, facts, [
      { type: "run.created", key: "run/created", data: { stages, plan } }
    ])
    const run = yield* holdRun<JourneyRunAction>(log, actions, "new")
    const mailbox = yield* makeRunMailbox
    yield* runActor(makeRunContext({ services, template, plan, party }, run, mailbox))
    yield* log.close("released")
    const { status, verdict } = log.row().snapshot.view
    if (verdict !== "pass") throw new Error(`a journey of the bench ended ${status} ${verdict}`)
  }).pipe(Effect.scoped, Effect.provide(context), asInTheService)

  const rate = async (abreast: number, seconds: number) => {
    const began = performance.now()
    let done = 0
    const lane = Effect.repeat(
      Effect.map(play, () => {
        done += 1
      }),
      { while: () => performance.now() < began + seconds * 1000 }
    )
    await Effect.runPromise(
      Effect.replicateEffect(lane, abreast, { concurrency: "unbounded", discard: true })
    )
    return done / ((performance.now() - began) / 1000)
  }
  const close = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await pool.end()
  }
  return { rate, close }
}
