/** Our EMSP registered with a seeded sandbox CPO of any version, both on one real port. Nothing is shared between tests. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schedule } from "effect"
import { OwnerId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { OcpiClient } from "../../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import type { CallRequest } from "../../../src/party/wire/CallRequest.ts"
import { Sandbox } from "../../../src/sandbox/Sandbox.ts"
import { seedObjects } from "../../../src/sandbox/seed/seedObjects.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { front, partyWith, roomLayer, tokenOf } from "../../support/parties/parties.ts"

type World = Layer.Layer.Success<ReturnType<typeof roomLayer>> | Sandbox

export interface Pair {
  /** Our side, an EMSP with the seeded tokens of the version. */
  readonly emsp: Party
  readonly cpo: Party
}

/** Runs the test with a fresh, registered pair; `speed`: simulated seconds per second. */
export const withCharging = <A, E, R>(
  version: OcpiVersion,
  speed: number,
  test: (pair: Pair) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const { attach, url } = yield* front
    const run = Effect.gen(function* () {
      yield* attach
      const store = yield* PartyStore
      const sandbox = yield* Sandbox
      const made = yield* sandbox.create(OwnerId.make("own_1"), {
        theirRole: "CPO",
        ocpiVersion: version,
        speed,
        seed: 7
      })
      const ours = partyWith({ id: "conn_1", role: "EMSP", version }, false)
      const versionsUrl = sandbox.versionsUrl(made.party.id)
      yield* store.insert({ ...ours, counterpart: { ...ours.counterpart, versionsUrl } }, [
        tokenOf("outbound", "tokenA", Redacted.value(made.tokenA))
      ])
      for (const object of seeded(ours, "EMSP")) yield* store.putObject(ours.id, object)
      const result = yield* (yield* Handshake).run(ours.id)
      assert.isTrue(result.ok, JSON.stringify(result))
      return yield* test({ emsp: yield* partyNow(ours), cpo: yield* partyNow(made.party) })
    })
    const world = Layer.provideMerge(Sandbox.layer({ publicUrl: url }), roomLayer(url))
    return yield* Effect.provide(run, world) as Effect.Effect<A, E, Exclude<R, World>> // the layers give the whole World
  }).pipe(Effect.scoped)

const seeded = ({ identity, version }: Party, role: Role) =>
  seedObjects({ role, profile: profileOf(version), identity, seed: 7, now: Date.UTC(2026, 0, 1) })

const partyNow = (party: Party) =>
  Effect.flatMap(PartyStore, (store) => Effect.map(store.find(party.id), Option.getOrThrow))

/** All objects of a module, oldest first. A test looks into JSON of any shape. */
export const objectsOf = (party: Party, module: string, side: "own" | "received") =>
  Effect.flatMap(PartyStore, (store) =>
    Effect.map(store.objects(party.id, module, side, { offset: 0, limit: 100 }), ({ items }) =>
      items.map(({ json }) => json as any)
    )
  )

/** However busy the machine is, only a hang takes so long; for tests that wait for a simulation in real time. */
export const patienceMillis = 120_000
const pollMillis = 20

/** Polls until there is something; the simulation runs in real time. */
export const eventually = <A, R>(look: Effect.Effect<A | undefined, never, R>) =>
  look.pipe(
    Effect.flatMap((found) => (found === undefined ? Effect.fail("nothing yet") : Effect.succeed(found))),
    Effect.retry(
      Schedule.intersect(Schedule.spaced(pollMillis), Schedule.recurs(patienceMillis / pollMillis))
    )
  )

/** The first EVSE of the first location, as it stands at the CPO. */
export const firstEvse = (cpo: Party) =>
  Effect.map(objectsOf(cpo, "locations", "own"), (all) => {
    const location = all.toSorted((a, b) => String(a.id).localeCompare(b.id))[0]
    return { location, evse: location.evses[0] }
  })

/** One call from our side to the CPO; the answer's JSON. */
export const called = (party: Party, request: Omit<CallRequest, "exchangeId">) =>
  Effect.gen(function* () {
    const calls = yield* PartnerCalls
    const call = yield* calls.prepare(party, { ...request, exchangeId: "exc_1" })
    // A test looks into JSON of any shape.
    return (yield* (yield* OcpiClient).exchange(call)).json as any
  })

/** Sends a command with a response_url and gives the first result that comes to it. */
export const commanded = (party: Party, name: string, body: Record<string, unknown>, key: string) =>
  Effect.gen(function* () {
    const calls = yield* PartnerCalls
    const response_url = yield* calls.expectResult(party, name, key)
    const answer = yield* called(party, {
      module: "commands",
      interfaceRole: "RECEIVER",
      operation: name,
      method: "POST",
      path: [name],
      body: { ...body, response_url }
    })
    assert.strictEqual(answer.data?.result, "ACCEPTED", JSON.stringify(answer))
    return yield* resultOf(party, key)
  })

/** The body of the first result that came for that key. */
export const resultOf = (party: Party, key: string) =>
  Effect.flatMap(PartnerCalls, (calls) =>
    // A test looks into JSON of any shape.
    eventually(Effect.map(calls.results(party.id, key), ([first]) => first?.body as any))
  )
