/**
 * A journey against a sandbox partner without sockets and without waiting: requests of either side are answered in
 * memory, and when nobody has anything to do the clock jumps on.
 */
import { Effect, Layer, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { ScenarioFault } from "../../../schema/Scenario.ts"
import { templateById } from "../../../src/journeys/catalogue/catalogue.ts"
import { JourneyRuns } from "../../../src/journeys/JourneyRuns.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../../src/party/Parties.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import { ChargingSimulation } from "../../../src/party/simulation/ChargingSimulation.ts"
import { type Behaviour, PartnerQuirks } from "../../../src/party/wire/PartnerQuirks.ts"
import { Sandbox } from "../../../src/sandbox/Sandbox.ts"
import { behaviourOf, composed } from "../../../src/sandbox/SandboxQuirks.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { jumpingClock } from "../../support/jumpingClock.ts"
import { connected, makeDoor, recording } from "../../support/parties/quickWorld.ts"
import type { SentRequest } from "../../support/requestLint.ts"
import { ledgerInMemory } from "../../support/runs/ledgerInMemory.ts"

const publicUrl = "https://us.example"

export interface Played {
  readonly templateId: string
  readonly version: OcpiVersion
  /** Of the partner. */
  readonly role?: Role
  readonly inputs?: Readonly<Record<string, unknown>>
  /** Of the library; they begin after the handshake. */
  readonly faults?: ReadonlyArray<string>
  /** A deviation that the library has not. */
  readonly deviation?: Partial<Behaviour>
  /** Faults that we play, as those of a pack. */
  readonly ourFaults?: ReadonlyArray<ScenarioFault>
  /** The partner ends its registration so many seconds after the run has begun. */
  readonly unregistersAfter?: number
  /** Takes every request that we send to the partner during the run. */
  readonly sent?: Array<SentRequest>
}

/** The run's verdict and all its lines. */
export const playedQuickly = (scene: Played) =>
  Effect.gen(function* () {
    const door = makeDoor()
    return yield* Effect.gen(function* () {
      door.open((yield* Parties).serve)
      const begins = templateById(scene.templateId)?.begins
      const { ours, partner } = yield* connected({
        role: scene.role ?? "CPO",
        ...scene,
        first: begins !== undefined
      })
      if (scene.sent !== undefined) door.watch(yield* recording(scene.sent))
      if (begins === "invited") yield* invited(ours.id, partner.id)
      const journeys = yield* JourneyRuns
      const ledger = yield* Ledger
      const { facts } = yield* journeys.start({
        ownerId: ours.ownerId,
        partyId: ours.id,
        connectionLabel: "sandbox",
        templateId: scene.templateId,
        inputs: scene.inputs ?? {},
        ...(scene.ourFaults === undefined
          ? {}
          : { scenario: { id: null, name: scene.templateId, version: 0, faults: scene.ourFaults } })
      })
      if (isPartnersTurn(scene.templateId))
        yield* Effect.forkScoped(
          Effect.zipRight(Effect.sleep("3 seconds"), (yield* Handshake).run(partner.id))
        )
      if (scene.unregistersAfter !== undefined)
        yield* Effect.forkScoped(
          Effect.delay((yield* Handshake).unregister(partner.id), `${scene.unregistersAfter} seconds`)
        )
      for (;;) {
        const { view } = Option.getOrThrow(yield* ledger.run(ours.ownerId, facts.runId)).snapshot
        if (view.machine.tags.includes("terminal")) {
          const lines = yield* ledger.page(facts.runId, 0, 2000)
          const events = lines.map(({ line }) => JSON.parse(line) as LedgerEvent)
          return { verdict: view.verdict, events, assertions: events.flatMap(({ assertions }) => assertions) }
        }
        yield* Effect.sleep("1 second")
      }
    }).pipe(Effect.provide(worldOf(door.client, scene.deviation ?? {})), Effect.scoped)
  }).pipe(Effect.withClock(jumpingClock(Date.parse("2026-06-01T12:00:00.000Z"))))

/** Does the journey wait for the partner's credentials? */
const isPartnersTurn = (templateId: string) =>
  templateById(templateId)?.stages.some(
    ({ actor, module }) => actor === "partner" && module === "credentials"
  )

const worldOf = (client: ReturnType<typeof makeDoor>["client"], deviation: Partial<Behaviour>) => {
  const quirks = Layer.succeed(PartnerQuirks, {
    of: (party) => (party.kind === "sandbox" ? composed([behaviourOf(party), deviation]) : behaviourOf(party))
  })
  const base = Layer.mergeAll(
    quirks,
    PartnerCalls.layer({ publicUrl, sandbox: true }),
    client,
    Sandbox.layer({ publicUrl }),
    ledgerInMemory()
  ).pipe(Layer.provideMerge(PartyStoreMemory))
  return JourneyRuns.layer({ leaseSeconds: 15, publicUrl }).pipe(
    Layer.provideMerge(Layer.merge(Parties.layer({ publicUrl }), Handshake.layer({ publicUrl }))),
    Layer.provideMerge(ChargingSimulation.layer),
    Layer.provideMerge(base)
  )
}

/** The partner has our Token A, and will come with it. */
const invited = (ours: PartyId, partner: PartyId) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const { token, versionsUrl } = Option.getOrThrow(yield* (yield* Handshake).invite(ours))
    yield* store.update(partner, (party) => ({
      ...party,
      counterpart: { ...party.counterpart, versionsUrl }
    }))
    yield* store.putToken(partner, "outbound", { name: "tokenA", value: token })
  })
