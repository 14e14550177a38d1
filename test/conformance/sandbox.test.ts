/**
 * A sample of suites against real sandbox partners over real sockets: what proof/ shows in memory holds there too. The
 * honest one passes, and of each module's faults one is caught.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { OwnerId, type PartyId } from "../../schema/Ids.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../schema/ocpi/Role.ts"
import { SuiteRuns } from "../../src/conformance/run/SuiteRuns.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { reportOf } from "../../src/ledger/run/runReport.ts"
import { EgressGuard } from "../../src/ocpi/EgressGuard.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../src/party/Parties.ts"
import { Handshake } from "../../src/party/registration/Handshake.ts"
import { ChargingSimulation } from "../../src/party/simulation/ChargingSimulation.ts"
import { bothRoles } from "../../src/sandbox/faults/Fault.ts"
import { faultLibrary } from "../../src/sandbox/faults/faultLibrary.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { sandboxQuirks } from "../../src/sandbox/SandboxQuirks.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { front, partyWith, tokenOf } from "../support/parties/parties.ts"
import { ledgerInMemory } from "../support/runs/ledgerInMemory.ts"
import { checksIn, type SceneName } from "./support/scenes.ts"

const owner = OwnerId.make("own_1")

const world = (publicUrl: string) => {
  const client = OcpiClient.layer().pipe(
    Layer.provide(EgressGuard.layer({ allowCidrs: ["127.0.0.0/8"], reserved: [] }))
  )
  const base = Layer.mergeAll(
    sandboxQuirks,
    PartnerCalls.layer({ publicUrl, sandbox: true }),
    client,
    Sandbox.layer({ publicUrl }),
    ledgerInMemory()
  ).pipe(Layer.provideMerge(PartyStoreMemory))
  return SuiteRuns.layer({ graceSeconds: 1, trustedPrefixes: [`${publicUrl}/sandbox/`] }).pipe(
    Layer.provideMerge(Layer.mergeAll(Parties.layer({ publicUrl }), Handshake.layer({ publicUrl }))),
    Layer.provideMerge(ChargingSimulation.layer),
    Layer.provideMerge(base)
  )
}

/** What a partner does wrong when it calls us must be wrong from the first call on. */
const whenCalling = (fault: string) => /^(credentials\.sends-|registration\.|transport\.calls-)/.test(fault)

/** A registered connection to a fresh partner; its faults in answering begin after the handshake. */
const connected = (
  faults: ReadonlyArray<string>,
  theirRole: Role = "CPO",
  ocpiVersion: OcpiVersion = "2.2.1"
) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    const store = yield* PartyStore
    const { party: partner, tokenA } = yield* sandbox.create(owner, {
      theirRole,
      ocpiVersion,
      faults: faults.filter(whenCalling)
    })
    const ours = partyWith(
      {
        id: `conn_${partner.id}`,
        role: theirRole === "CPO" ? "EMSP" : "CPO",
        version: ocpiVersion
      },
      false
    )
    yield* store.insert(
      { ...ours, counterpart: { ...ours.counterpart, versionsUrl: sandbox.versionsUrl(partner.id) } },
      [tokenOf("outbound", "tokenA", Redacted.value(tokenA))]
    )
    const result = yield* (yield* Handshake).run(ours.id)
    assert.isTrue(result.ok, JSON.stringify(result))
    yield* sandbox.setFaults(partner.id, faults)
    return ours.id
  })

const graded = (partyId: PartyId, checks?: ReadonlyArray<string>, suiteId = "ocpi-2.2.1-cpo-full") =>
  Effect.gen(function* () {
    const runs = yield* SuiteRuns
    const ledger = yield* Ledger
    const { facts } = yield* runs.start({
      ownerId: owner,
      partyId,
      connectionLabel: "sandbox",
      environment: "test",
      suiteId,
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

const suiteOf = (role: Role, version: OcpiVersion = "2.2.1") => `ocpi-${version}-${role.toLowerCase()}-full`
const idsIn = (scene: SceneName, role: Role, version: OcpiVersion = "2.2.1") =>
  checksIn(scene, version, role).map(({ id }) => id)
/** Read, or written without waiting for what comes of it. Plain HTTP is what one expects here. */
const quickChecks = (role: Role, version: OcpiVersion = "2.2.1") =>
  (["reading", "writing credentials", "writing transport"] as const)
    .flatMap((scene) => idsIn(scene, role, version))
    .filter((id) => id !== "TRANS-010")

/** The first fault of each module that such a check must catch. */
const sample = faultLibrary
  .filter(({ strength, versions }) => strength === "must" && versions.includes("2.2.1"))
  .flatMap(({ caughtBy, id, module, roles }) => {
    const role: Role = roles.includes("CPO") ? "CPO" : "EMSP"
    const checks = quickChecks(role).filter((check) => caughtBy.includes(check))
    return checks.length === 0 ? [] : [{ id, module, role, checks }]
  })
  .filter(({ module }, index, all) => all.findIndex((one) => one.module === module) === index)

describe("suites and the sandbox over sockets", () => {
  const honest = [
    { role: "CPO", version: "2.1.1" },
    { role: "CPO", version: "2.2.1" },
    { role: "EMSP", version: "2.2.1" }
  ] as const
  it.scopedLive.each(honest)(
    "have nothing to say against the honest $role in $version",
    ({ role, version }) =>
      served(
        Effect.gen(function* () {
          const id = yield* connected([], role, version)
          const { assertions, report } = yield* graded(id, quickChecks(role, version), suiteOf(role, version))
          const fine = ["passed", "not_applicable", "unobservable"]
          assert.deepStrictEqual(
            assertions.filter(({ outcome }) => !fine.includes(outcome)),
            []
          )
          assert.deepStrictEqual([report.summary.failed, report.summary.warned], [0, 0])
        })
      ),
    // Some two hundred checks each.
    120_000
  )

  it.scopedLive.each(bothRoles)("renew the registration of the honest %s", (role) =>
    served(
      Effect.gen(function* () {
        const id = yield* connected([], role)
        const { assertions } = yield* graded(id, idsIn("renewing", role), suiteOf(role))
        assert.isNotEmpty(assertions)
        assert.deepStrictEqual(
          assertions.filter(({ outcome }) => outcome !== "passed"),
          []
        )
        // The connection goes on with the tokens that were handed over.
        const after = yield* graded(id, ["VERS-001", "CRED-039"], suiteOf(role))
        assert.strictEqual(after.report.verdict, "pass")
      })
    )
  )

  it.scopedLive.each(bothRoles)("end the registration of the honest %s", (role) =>
    served(
      Effect.gen(function* () {
        const ending = idsIn("ending", role)
        const { assertions } = yield* graded(yield* connected([], role), ending, suiteOf(role))
        assert.deepStrictEqual(
          assertions.map(({ id, outcome }) => `${id} ${outcome}`),
          ending.map((id) => `${id} passed`)
        )
      })
    )
  )

  it.scopedLive.each(sample)("catch the fault $id of a $role", ({ checks, id, role }) =>
    served(
      Effect.gen(function* () {
        const { assertions } = yield* graded(yield* connected([id], role), checks, suiteOf(role))
        assert.lengthOf(assertions, checks.length)
        for (const { id, message, outcome, reason } of assertions)
          assert.include(["failed", "warned"], outcome, `${id}: ${message ?? reason}`)
      })
    )
  )
})
