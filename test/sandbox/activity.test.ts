/** What sandbox partners do of their own accord, in simulated time, towards a counterpart that takes everything. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Ref, TestClock } from "effect"
import { OwnerId } from "../../schema/Ids.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../schema/ocpi/Role.ts"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import type { SandboxActivity } from "../../schema/Sandbox.ts"
import { DatabaseDown } from "../../src/database/DatabaseDown.ts"
import { violations } from "../../src/findings/violations/violations.ts"
import type { OcpiCall } from "../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import { ChargingSimulation } from "../../src/party/simulation/ChargingSimulation.ts"
import { honest, PartnerQuirks } from "../../src/party/wire/PartnerQuirks.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import type { Party } from "../../src/store/parties/Party.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { takingClient } from "../support/parties/takingClient.ts"

interface Given {
  readonly role: Role
  readonly version?: OcpiVersion
  readonly activity: SandboxActivity
  /** Modules that the counterpart offers; all when left out. */
  readonly offered?: ReadonlyArray<string>
  /** Is the database away? */
  readonly isAway?: () => boolean
}

/** In memory, and away for whoever reads an object meanwhile. */
const storeThatIsAway = (isAway: () => boolean) =>
  Layer.map(PartyStoreMemory, (context) => {
    const store = Context.get(context, PartyStore)
    const object: typeof store.object = (...address) =>
      Effect.suspend(() =>
        isAway() ? Effect.die(new DatabaseDown({ message: "away" })) : store.object(...address)
      )
    return Context.make(PartyStore, { ...store, object })
  })

/** A registered partner; the test gets it and what it has sent so far, as `METHOD path`. */
const withPartner = <A, E>(
  { activity, isAway = () => false, offered, role, version = "2.2.1" }: Given,
  test: (
    party: Party,
    sent: Effect.Effect<ReadonlyArray<OcpiCall>>
  ) => Effect.Effect<A, E, ChargingSimulation | PartyStore>
) =>
  Effect.gen(function* () {
    const calls = yield* Ref.make<ReadonlyArray<OcpiCall>>([])
    const publicUrl = "https://us.example"
    const room = ChargingSimulation.layer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          Layer.succeed(PartnerQuirks, { of: () => honest }),
          takingClient((call) => Effect.runSync(Ref.update(calls, (all) => [...all, call]))),
          Sandbox.layer({ publicUrl }),
          PartnerCalls.layer({ publicUrl, sandbox: true })
        )
      ),
      Layer.provideMerge(storeThatIsAway(isAway))
    )
    yield* TestClock.setTime(Date.UTC(2026, 5, 1, 12))
    return yield* Effect.gen(function* () {
      const store = yield* PartyStore
      const made = yield* (yield* Sandbox).create(OwnerId.make("own_1"), {
        theirRole: role,
        ocpiVersion: version,
        activity
      })
      const endpoints = profileOf(version).interfaces[role === "CPO" ? "EMSP" : "CPO"].flatMap(
        ([identifier, interfaceRole]) =>
          offered === undefined || offered.includes(identifier)
            ? [{ identifier, role: interfaceRole, url: `https://partner.example/${identifier}` }]
            : []
      )
      yield* store.update(made.party.id, (party) => ({
        ...party,
        registration: "registered",
        registeredAt: "2026-06-01T12:00:00.000Z",
        counterpart: { ...party.counterpart, endpoints }
      }))
      return yield* test(made.party, Ref.get(calls))
    }).pipe(Effect.provide(room))
  }).pipe(Effect.scoped)

const line = ({ method, url }: OcpiCall) => `${method} ${new URL(url).pathname.split("/")[1]}`
const started = (party: Party) =>
  Effect.flatMap(ChargingSimulation, ({ startActivity }) => startActivity(party.id))
/** How many objects of the module it has. */
const held = (party: Party, module: string) =>
  Effect.flatMap(PartyStore, (store) =>
    Effect.map(store.objects(party.id, module, "own", { offset: 0, limit: 1 }), ({ total }) => total)
  )
const counted = (calls: ReadonlyArray<OcpiCall>) => {
  const counts: Record<string, number> = {}
  for (const call of calls) counts[line(call)] = (counts[line(call)] ?? 0) + 1
  return counts
}

describe("a partner that has just registered", () => {
  it.effect.each(versionNumbers)("sends its tariffs and locations, as a CPO in %s", (version) =>
    withPartner({ role: "CPO", activity: "catalogue", version }, (party, sent) =>
      Effect.gen(function* () {
        yield* started(party)
        yield* TestClock.adjust("1 minute")
        const calls = yield* sent
        const [tariffs, locations] = [yield* held(party, "tariffs"), yield* held(party, "locations")]
        assert.deepStrictEqual(counted(calls), { "PUT tariffs": tariffs, "PUT locations": locations })
        assert.isTrue(calls.slice(0, tariffs).every(({ module }) => module === "tariffs"))
        for (const { body, module } of calls)
          assert.deepStrictEqual(
            violations(profileOf(version).objects[module === "tariffs" ? "Tariff" : "Location"]!, body),
            []
          )
      })
    )
  )

  it.effect.each(versionNumbers)("sends its tokens, as an EMSP in %s", (version) =>
    withPartner({ role: "EMSP", activity: "catalogue", version }, (party, sent) =>
      Effect.gen(function* () {
        yield* started(party)
        yield* TestClock.adjust("1 minute")
        const calls = yield* sent
        assert.deepStrictEqual(Object.keys(counted(calls)), ["PUT tokens"])
        const typed = calls.filter(({ url }) => new URL(url).searchParams.has("type"))
        assert.strictEqual(typed.length > 0, profileOf(version).tokenTypeInUrl)
      })
    )
  )

  it.effect("sends nothing for the first second, and then one object after the other", () =>
    withPartner({ role: "CPO", activity: "catalogue" }, (party, sent) =>
      Effect.gen(function* () {
        yield* started(party)
        yield* TestClock.adjust("1 second")
        assert.isEmpty(yield* sent)
        yield* TestClock.adjust("100 millis")
        assert.lengthOf(yield* sent, 2)
      })
    )
  )

  it.effect("sends no module that the counterpart does not offer", () =>
    withPartner({ role: "CPO", activity: "catalogue", offered: ["tariffs"] }, (party, sent) =>
      Effect.gen(function* () {
        yield* started(party)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(counted(yield* sent), { "PUT tariffs": yield* held(party, "tariffs") })
      })
    )
  )

  it.effect("sends everything once in a registration, and again in the next one", () =>
    withPartner({ role: "CPO", activity: "catalogue", offered: ["tariffs"] }, (party, sent) =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        for (const registeredAt of ["2026-06-01T12:00:00.000Z", "2026-06-02T12:00:00.000Z"]) {
          yield* store.update(party.id, (now) => ({ ...now, registeredAt }))
          yield* started(party)
          yield* TestClock.adjust("1 minute")
          yield* started(party)
          yield* TestClock.adjust("1 minute")
        }
        assert.lengthOf(yield* sent, 2 * (yield* held(party, "tariffs")))
      })
    )
  )

  it.effect("stops sending when the registration ends", () =>
    withPartner({ role: "CPO", activity: "lively" }, (party, sent) =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        yield* started(party)
        yield* TestClock.adjust("1200 millis")
        const before = (yield* sent).length
        yield* store.update(party.id, (now) => ({ ...now, registration: "none" }))
        yield* TestClock.adjust("10 minutes")
        assert.isAbove(before, 0)
        assert.lengthOf(yield* sent, before)
      })
    )
  )

  it.effect("sends nothing when it is quiet", () =>
    withPartner({ role: "CPO", activity: "quiet" }, (party, sent) =>
      Effect.gen(function* () {
        yield* started(party)
        yield* TestClock.adjust("10 minutes")
        assert.isEmpty(yield* sent)
      })
    )
  )
})

describe("a lively CPO", () => {
  const afterwards = (version: OcpiVersion) =>
    withPartner({ role: "CPO", activity: "lively", version }, (party, sent) =>
      Effect.gen(function* () {
        yield* started(party)
        // Four happenings of a quarter of an hour each, at 60 simulated seconds a second.
        yield* TestClock.adjust("75 seconds")
        return yield* sent
      })
    )

  it.effect.each(versionNumbers)("charges on its own and sends the session and its CDR, in %s", (version) =>
    Effect.gen(function* () {
      const calls = yield* afterwards(version)
      const profile = profileOf(version)
      const session = calls.find((call) => line(call) === "PUT sessions")!
      const cdr = calls.find((call) => line(call) === "POST cdrs")!
      assert.deepStrictEqual(violations(profile.objects.Session!, session.body), [])
      assert.deepStrictEqual(violations(profile.objects.CDR!, cdr.body), [])
      assert.isAbove(counted(calls)["PATCH sessions"] ?? 0, 1)
    })
  )

  it.effect("carries its charge to the end although the database was away meanwhile", () => {
    let away = false
    return withPartner({ role: "CPO", activity: "lively", isAway: () => away }, (party, sent) =>
      Effect.gen(function* () {
        yield* started(party)
        yield* TestClock.adjust("33 seconds")
        assert.strictEqual(counted(yield* sent)["PUT sessions"], 1)
        away = true
        yield* TestClock.adjust("2 seconds")
        away = false
        // It is looked for once a second in real time.
        yield* Effect.withClock(Effect.sleep("1500 millis"), Clock.make())
        yield* TestClock.adjust("70 seconds")
        const told = (yield* sent).filter(
          (call) => line(call) === "PUT sessions" || line(call) === "POST cdrs"
        )
        assert.deepStrictEqual(told.slice(0, 3).map(line), ["PUT sessions", "PUT sessions", "POST cdrs"])
        assert.strictEqual(told[0]!.url, told[1]!.url)
      })
    )
  })

  it.effect("puts an EVSE out of order and back", () =>
    Effect.gen(function* () {
      const patches = (yield* afterwards("2.2.1")).filter((call) => line(call) === "PATCH locations")
      const statuses = patches.map(({ body, url }) => [
        url.split("/").at(-1),
        (body as { readonly status: string }).status
      ])
      const broken = statuses.find(([, status]) => status === "OUTOFORDER")
      assert.isDefined(broken)
      assert.deepInclude(statuses, [broken![0], "AVAILABLE"])
    })
  )

  it.effect("does the same whenever its seed is the same", () =>
    Effect.gen(function* () {
      const told = (calls: ReadonlyArray<OcpiCall>) =>
        calls.map(({ body, method, url }) => [method, url, body])
      assert.deepStrictEqual(told(yield* afterwards("2.2.1")), told(yield* afterwards("2.2.1")))
    })
  )
})
