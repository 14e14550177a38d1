import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { OwnerId, PartyId } from "../../schema/Ids.ts"
import { PartnerQuirks } from "../../src/party/wire/PartnerQuirks.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { sandboxQuirks } from "../../src/sandbox/SandboxQuirks.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"

const live = Layer.mergeAll(Sandbox.layer({ publicUrl: "http://127.0.0.1:8080/" }), sandboxQuirks).pipe(
  Layer.provideMerge(PartyStoreMemory)
)
const owner = OwnerId.make("own_1")
const cpo = { theirRole: "CPO", ocpiVersion: "2.2.1" } as const

describe("Sandbox", () => {
  it.effect("makes a partner that can be found by its token A and has data to serve", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const store = yield* PartyStore
      const { party, tokenA } = yield* sandbox.create(owner, cpo)
      const found = yield* store.findByToken("accept", [Redacted.value(tokenA)])
      const { total } = yield* store.objects(party.id, "locations", "own", { offset: 0, limit: 1 })
      assert.match(party.id, /^sbx_/)
      assert.match(Redacted.value(tokenA), /^(?=.*[-_])[\x21-\x7e]{1,64}$/)
      assert.strictEqual(Option.getOrThrow(found).party.id, party.id)
      assert.isAtLeast(total, 8)
      assert.strictEqual(party.counterpart.role, "EMSP")
    }).pipe(Effect.provide(live))
  )

  it.effect("makes a partner whole that is there already, with the token A and the data that it has", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const store = yield* PartyStore
      const id = PartyId.make("sbx_half_made")
      const count = Effect.map(
        store.objects(id, "locations", "own", { offset: 0, limit: 1 }),
        ({ total }) => total
      )
      const first = yield* sandbox.create(owner, { ...cpo, id })
      const all = yield* count
      const [lost] = (yield* store.objects(id, "locations", "own", { offset: 0, limit: 1 })).items
      yield* store.removeObject(id, "locations", "own", lost!.key)
      let admitted = 0
      const again = yield* sandbox.create(owner, { ...cpo, id }, (insert) => {
        admitted += 1
        return insert
      })
      assert.strictEqual(Redacted.value(again.tokenA), Redacted.value(first.tokenA))
      assert.strictEqual(yield* count, all)
      assert.strictEqual(admitted, 0, "one that is there needs no admission")
    }).pipe(Effect.provide(live))
  )

  it.effect("hands out URLs under the public URL", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      assert.strictEqual(
        sandbox.versionsUrl(PartyId.make("sbx_1")),
        "http://127.0.0.1:8080/sandbox/sbx_1/ocpi/versions"
      )
    }).pipe(Effect.provide(live))
  )

  it.effect("refuses faults that are unknown or of another role or version", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const refused = (input: Parameters<typeof sandbox.create>[1]) =>
        Effect.map(Effect.flip(sandbox.create(owner, input)), ({ _tag }) =>
          assert.strictEqual(_tag, "UnfitFault")
        )
      yield* refused({ ...cpo, faults: ["no.such"] })
      yield* refused({ ...cpo, faults: ["tokens.no-issuer"] })
      yield* refused({ theirRole: "CPO", ocpiVersion: "2.1.1", faults: ["versions.endpoints-without-role"] })
    }).pipe(Effect.provide(live))
  )

  it.effect("changes faults and, with them, how the partner behaves and sends its token", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const quirks = yield* PartnerQuirks
      const { party } = yield* sandbox.create(owner, { ...cpo, faults: ["credentials.sends-raw-token"] })
      assert.strictEqual(party.dialect.tokenEncoding.outbound, "raw")
      const changed = Option.getOrThrow(
        yield* sandbox.setFaults(party.id, ["paging.no-total", "paging.no-total"])
      )
      assert.deepStrictEqual(changed.sandbox?.faults, ["paging.no-total"])
      assert.strictEqual(changed.dialect.tokenEncoding.outbound, "auto")
      assert.notStrictEqual(quirks.of(changed), quirks.of({ ...changed, sandbox: null }))
    }).pipe(Effect.provide(live))
  )

  it.effect("removes partners, and nothing that is no partner of its own", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const store = yield* PartyStore
      const { party } = yield* sandbox.create(owner, cpo)
      yield* store.insert({ ...party, id: PartyId.make("conn_1"), kind: "connection" }, [])
      assert.isTrue(yield* sandbox.remove(party.id))
      assert.isFalse(yield* sandbox.remove(party.id))
      assert.isFalse(yield* sandbox.remove(PartyId.make("conn_1")))
      assert.isTrue(Option.isNone(yield* sandbox.setFaults(party.id, [])))
    }).pipe(Effect.provide(live))
  )
})
