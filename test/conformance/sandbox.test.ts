/** The core suite against real sandbox partners over real sockets: the honest one passes, each fault is caught. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { OwnerId, type PartyId } from "../../schema/Ids.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { SuiteRuns } from "../../src/conformance/SuiteRuns.ts"
import { allChecks } from "../../src/conformance/suites.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerMemory } from "../../src/ledger/LedgerMemory.ts"
import { RunLogsLive } from "../../src/ledger/RunLogsLive.ts"
import { reportOf } from "../../src/ledger/runReport.ts"
import { EgressGuard } from "../../src/ocpi/EgressGuard.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { Handshake } from "../../src/party/Handshake.ts"
import { Parties } from "../../src/party/Parties.ts"
import { PartnerCalls } from "../../src/party/PartnerCalls.ts"
import { ChargingSimulation } from "../../src/party/simulation/ChargingSimulation.ts"
import { faultLibrary } from "../../src/sandbox/faults/faultLibrary.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { sandboxBehaviours } from "../../src/sandbox/SandboxBehaviours.ts"
import { PartyStore } from "../../src/store/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/PartyStoreMemory.ts"
import { front, partyWith, tokenOf } from "../party/fixtures.ts"

const owner = OwnerId.make("own_1")

const world = (publicUrl: string) => {
  const client = OcpiClient.layer().pipe(
    Layer.provide(EgressGuard.layer({ allowCidrs: ["127.0.0.0/8"], reserved: [] }))
  )
  const base = Layer.mergeAll(
    sandboxBehaviours,
    PartnerCalls.layer({ publicUrl, sandbox: true }),
    client,
    Sandbox.layer({ publicUrl }),
    RunLogsLive.layer({ leaseSeconds: 15 }).pipe(Layer.provideMerge(LedgerMemory.layer()))
  ).pipe(Layer.provideMerge(PartyStoreMemory))
  return Layer.mergeAll(
    Parties.layer({ publicUrl }),
    Handshake.layer({ publicUrl }),
    SuiteRuns.layer({ trustedPrefixes: [`${publicUrl}/sandbox/`] })
  ).pipe(Layer.provideMerge(ChargingSimulation.layer), Layer.provideMerge(base))
}

/** What a partner does wrong when it calls us must be wrong from the first call on. */
const whenCalling = (fault: string) => fault.startsWith("credentials.sends-")

/** A registered connection to a fresh CPO; its faults in answering begin after the handshake. */
const connected = (faults: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    const store = yield* PartyStore
    const { party: partner, tokenA } = yield* sandbox.create(owner, {
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      faults: faults.filter(whenCalling)
    })
    const ours = partyWith({ id: `conn_${partner.id}`, role: "EMSP" }, false)
    yield* store.insert(
      { ...ours, counterpart: { ...ours.counterpart, versionsUrl: sandbox.versionsUrl(partner.id) } },
      [tokenOf("outbound", "tokenA", Redacted.value(tokenA))]
    )
    const result = yield* (yield* Handshake).run(ours.id)
    assert.isTrue(result.ok, JSON.stringify(result))
    yield* sandbox.setFaults(partner.id, faults)
    return ours.id
  })

const graded = (partyId: PartyId, checks?: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const runs = yield* SuiteRuns
    const ledger = yield* Ledger
    const { facts } = yield* runs.start({
      ownerId: owner,
      partyId,
      connectionLabel: "sandbox",
      environment: "test",
      suiteId: "ocpi-2.2.1-cpo-core",
      profile: "strict",
      ...(checks === undefined ? {} : { checks })
    })
    for (;;) {
      const row = Option.getOrThrow(yield* ledger.run(owner, facts.runId))
      if (row.snapshot.view.machine.tags.includes("terminal")) {
        const lines = yield* ledger.page(facts.runId, 0, 1000)
        const events = lines.map(({ line }) => JSON.parse(line) as LedgerEvent)
        return { report: reportOf(row), assertions: events.flatMap(({ assertions }) => assertions) }
      }
      yield* Effect.sleep("10 millis")
    }
  })

const served = <A, E>(body: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof world>>>) =>
  Effect.gen(function* () {
    const { attach, url } = yield* front
    return yield* Effect.zipRight(attach, body).pipe(Effect.provide(world(url)))
  })

/** Only records what a partner does; nothing to catch. */
const recording = ["TRANS-006"]

const known = new Set(allChecks.filter(({ versions }) => versions.includes("2.2.1")).map(({ id }) => id))
const catchable = faultLibrary
  .filter(({ roles, versions }) => roles.includes("CPO") && versions.includes("2.2.1"))
  .map(({ caughtBy, id }) => ({
    id,
    caughtBy: caughtBy.filter((check) => known.has(check) && !recording.includes(check))
  }))
  .filter(({ caughtBy }) => caughtBy.length > 0)

describe("the core suite and the sandbox", () => {
  it.scopedLive("passes the honest partner", () =>
    served(
      Effect.gen(function* () {
        const { assertions, report } = yield* graded(yield* connected([]))
        const poor = assertions.filter(({ outcome }) => !["passed", "not_applicable"].includes(outcome))
        assert.deepStrictEqual(poor, [])
        assert.strictEqual(report.verdict, "pass")
      })
    )
  )

  it.scopedLive.each(catchable)(
    "catches the fault $id",
    ({ caughtBy, id }) =>
      served(
        Effect.gen(function* () {
          const { assertions } = yield* graded(yield* connected([id]), caughtBy)
          const caught = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
          assert.isNotEmpty(caught, JSON.stringify(assertions))
        })
      ),
    20_000
  )
})
