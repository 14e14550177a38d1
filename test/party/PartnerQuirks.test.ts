import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EgressGuard } from "../../src/ocpi/EgressGuard.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../src/party/Parties.ts"
import { ChargingSimulation } from "../../src/party/simulation/ChargingSimulation.ts"
import { push } from "../../src/party/simulation/engine/pushes.ts"
import { type Behaviour, honest, PartnerQuirks } from "../../src/party/wire/PartnerQuirks.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { ask, partyWith, tokenOf } from "../support/parties/parties.ts"

const room = (behaviour: Behaviour) =>
  Parties.layer({ publicUrl: "http://ours.test" }).pipe(
    Layer.provideMerge(ChargingSimulation.layer),
    Layer.provideMerge(PartnerCalls.layer({ publicUrl: "http://ours.test", sandbox: true })),
    Layer.provideMerge(Layer.succeed(PartnerQuirks, PartnerQuirks.of({ of: () => behaviour }))),
    Layer.provideMerge(OcpiClient.layer()),
    Layer.provide(EgressGuard.layer({ allowCidrs: [], reserved: [] })),
    Layer.provideMerge(PartyStoreMemory)
  )

const broken: Behaviour = {
  ...honest,
  reply: (_, reply) => ({ ...reply, httpStatus: 503, body: "<html></html>" })
}

describe("PartnerQuirks", () => {
  it.effect("have the last word on a sandbox partner's answer, and the record shows what was sent", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const sandbox = partyWith({ id: "sbx_1", role: "CPO", kind: "sandbox" })
      yield* store.insert(sandbox, [tokenOf("issued", "tokenC", "of-sandbox-0123456789")])
      const parties = yield* Parties
      const reply = yield* parties.serve(
        { kind: "sandbox", partyId: sandbox.id },
        {
          method: "GET",
          path: ["versions"],
          query: new URLSearchParams(),
          headers: { authorization: "Token of-sandbox-0123456789" },
          body: "",
          url: "http://ours.test/sandbox/sbx_1/ocpi/versions",
          receivedAt: "2026-01-01T00:00:00.000Z"
        }
      )
      assert.strictEqual(reply.httpStatus, 503)
      const [recorded] = yield* store.inboundAfter(sandbox.id, 0, 1)
      assert.strictEqual(recorded?.exchange.response?.httpStatus, 503)
      assert.isNull(recorded?.exchange.response?.ocpiStatusCode)
    }).pipe(Effect.provide(room(broken)))
  )
  it.effect("never touch our own side of a connection", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const party = partyWith({ id: "conn_1", role: "CPO" })
      yield* store.insert(party, [tokenOf("issued", "tokenC", "of-connection-0123456789")])
      assert.strictEqual((yield* ask({ path: "versions", token: "of-connection-0123456789" })).http, 200)
    }).pipe(Effect.provide(room(broken)))
  )
  it.scoped("may send a push twice, or not at all", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const endpoints = [
        { identifier: "cdrs", role: "RECEIVER", url: "http://partner.invalid/cdrs" } as const
      ]
      const counterpart = { role: "EMSP", versionsUrl: "", endpoints, parties: null } as const
      const sandbox = partyWith({ id: "sbx_1", role: "CPO", kind: "sandbox", counterpart })
      yield* store.insert(sandbox, [])
      const post = (operation: string) =>
        push(sandbox, { module: "cdrs", operation, method: "POST", body: {} }, { path: [] }, "c1")
      yield* post("twice")
      yield* post("never")
      yield* push(
        sandbox,
        { module: "sessions", operation: "not offered", method: "PUT", body: {} },
        { path: ["S1"] },
        "c1"
      )
      const operations = (yield* store.exchanges(sandbox.id, 0, 10)).map(({ exchange }) => exchange.operation)
      assert.deepStrictEqual(operations, ["twice", "twice"])
    }).pipe(Effect.provide(room({ ...honest, push: (one) => (one.operation === "never" ? [] : [one, one]) })))
  )
})
