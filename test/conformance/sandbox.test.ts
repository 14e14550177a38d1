/** The core suite against real sandbox partners over real sockets: the honest one passes, each fault is caught. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schedule } from "effect"
import type { Role } from "../../schema/Connection.ts"
import { OwnerId, type PartyId } from "../../schema/Ids.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { versionNumbers } from "../../schema/ocpi/versions.ts"
import type { Check } from "../../src/conformance/Check.ts"
import { SuiteRuns } from "../../src/conformance/SuiteRuns.ts"
import { phaseOf } from "../../src/conformance/stages.ts"
import { allChecks, suiteById } from "../../src/conformance/suites.ts"
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
import { bothRoles } from "../../src/sandbox/faults/Fault.ts"
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
  return SuiteRuns.layer({ graceSeconds: 1, trustedPrefixes: [`${publicUrl}/sandbox/`] }).pipe(
    Layer.provideMerge(Layer.mergeAll(Parties.layer({ publicUrl }), Handshake.layer({ publicUrl }))),
    Layer.provideMerge(ChargingSimulation.layer),
    Layer.provideMerge(base)
  )
}

/** What a partner does wrong when it calls us must be wrong from the first call on. */
const whenCalling = (fault: string) => /^(credentials\.sends-|registration\.|transport\.calls-)/.test(fault)

/** What it has to have sent before its calls can be judged. */
const sentBefore = (fault: string): "PATCH" | "PUT" | undefined =>
  ({
    "transport.calls-patch-undated": "PATCH",
    "transport.calls-from-nobody": "PUT",
    "transport.calls-as-text": "PUT",
    "paging.changes-left-out": "PUT"
  })[fault] as "PATCH" | "PUT" | undefined // of the values above

/** A registered connection to a fresh partner; its faults in answering begin after the handshake. */
const connected = (
  faults: ReadonlyArray<string>,
  theirRole: Role = "CPO",
  ocpiVersion: OcpiVersion = "2.2.1"
) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    const store = yield* PartyStore
    const [sent] = faults.flatMap((fault) => sentBefore(fault) ?? [])
    const { party: partner, tokenA } = yield* sandbox.create(owner, {
      theirRole,
      ocpiVersion,
      ...(sent === undefined ? {} : { activity: "lively" as const, speed: 2000 }),
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
    if (sent !== undefined)
      yield* Effect.repeat(store.inboundAfter(ours.id, 0, 500), {
        until: (found) => found.some(({ exchange }) => exchange.request.method === sent),
        schedule: Schedule.spaced("50 millis")
      }).pipe(Effect.timeout("12 seconds"))
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

/** Shown with a clock that does not wait, for they do: checks/commands.test.ts, checks/speakingFirst.test.ts. */
const isInMemory = ({ first, id, mode, module, phase }: Check) =>
  ["commands", "chargingprofiles"].includes(module) ||
  // checks/theirRegistration.test.ts
  first !== undefined ||
  // Plain HTTP is what one expects here: checks/served.test.ts
  id === "TRANS-010" ||
  (module === "tokens" && mode === "OBS") ||
  // checks/toldPlaces.test.ts, checks/pushedPlaces.test.ts
  (["locations", "tariffs"].includes(module) && (mode !== "RO" || phase === "watch")) ||
  // checks/toldCharges.test.ts, checks/preferences.test.ts, checks/chargingPushes.test.ts
  (["sessions", "cdrs"].includes(module) && mode !== "RO")

/** Only records what a partner does; nothing to catch. */
const recording = ["LOC-005", "LOC-115", "TRANS-006", "TRANS-036", "TRANS-040", "PAGE-018", "SESS-003"]

const risks = allChecks.filter((check) => phaseOf(check) === "risk").map(({ id }) => id)
/** After these there is no registration to go on with. */
const ending = ["CRED-035", "CRED-036", "CRED-038"]
const suiteOf = (role: Role, version: OcpiVersion = "2.2.1") => `ocpi-${version}-${role.toLowerCase()}-full`
/** Each fault on a partner that can have it, and the checks of that partner's suite that say that they catch it. */
const catchable = faultLibrary
  .map(({ caughtBy, id, roles, versions }) => {
    const version = versions.find((one) => one === "2.2.1") ?? versions.at(-1) ?? "2.2.1"
    const role: Role = roles.includes("CPO") ? "CPO" : "EMSP"
    const known =
      suiteById(suiteOf(role, version))
        ?.checks.filter((check) => !isInMemory(check))
        .map((check) => check.id) ?? []
    return {
      id,
      role,
      version,
      caughtBy: caughtBy.filter((check) => known.includes(check) && !recording.includes(check))
    }
  })
  .filter(({ caughtBy }) => caughtBy.length > 0)

describe("the core suite and the sandbox", () => {
  const honest = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))
  it.scopedLive.each(honest)("has nothing to say against the honest $role in $version", ({ role, version }) =>
    served(
      Effect.gen(function* () {
        const id = yield* connected([], role, version)
        const checks = suiteById(suiteOf(role, version))!.checks.filter(
          (check) => !isInMemory(check) && phaseOf(check) !== "risk"
        )
        const { assertions, report } = yield* graded(
          id,
          checks.map((check) => check.id),
          suiteOf(role, version)
        )
        // What risks the registration is left alone here; what an honest partner has none of cannot be observed.
        const fine = ["passed", "not_applicable", "unobservable"]
        assert.deepStrictEqual(
          assertions.filter(({ outcome }) => !fine.includes(outcome)),
          []
        )
        assert.deepStrictEqual([report.summary.failed, report.summary.warned], [0, 0])
      })
    )
  )

  it.scopedLive.each(honest)("renews the registration of the honest $role in $version", ({ role, version }) =>
    served(
      Effect.gen(function* () {
        const id = yield* connected([], role, version)
        const renewing = risks.filter((check) => !ending.includes(check))
        const { assertions } = yield* graded(id, renewing, suiteOf(role, version))
        assert.deepStrictEqual(
          assertions.filter(({ outcome }) => outcome !== "passed"),
          []
        )
        // The connection goes on with the tokens that were handed over.
        const after = yield* graded(id, ["VERS-001", "CRED-039"], suiteOf(role, version))
        assert.strictEqual(after.report.verdict, "pass")
      })
    )
  )

  it.scopedLive.each(honest)("ends the registration of the honest $role in $version", ({ role, version }) =>
    served(
      Effect.gen(function* () {
        const id = yield* connected([], role, version)
        const { assertions } = yield* graded(id, ending, suiteOf(role, version))
        assert.deepStrictEqual(
          assertions.map(({ id, outcome }) => `${id} ${outcome}`),
          ending.map((id) => `${id} passed`)
        )
      })
    )
  )

  it.scopedLive.each(catchable)(
    "catches the fault $id of a $role",
    ({ caughtBy, id, role, version }) =>
      served(
        Effect.gen(function* () {
          const { assertions } = yield* graded(
            yield* connected([id], role, version),
            caughtBy,
            suiteOf(role, version)
          )
          const caught = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
          assert.isNotEmpty(caught, JSON.stringify(assertions))
        })
      ),
    20_000
  )
})
