/** Every token of a party is known to every process, and keeps out of the rows beside the party as well. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"
import { CommandId, ConnectionId, OwnerId, PartyId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { Notifications } from "../../src/database/Notifications.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStorePostgres } from "../../src/store/parties/PartyStorePostgres.ts"
import { CommandStore } from "../../src/store/rows/CommandStore.ts"
import { ConnectionStore } from "../../src/store/rows/ConnectionStore.ts"
import { SecretBox } from "../../src/store/secrets/SecretBox.ts"
import { partyWith, tokenOf } from "../party/support/fixtures.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const box = SecretBox.layer({
  keys: Redacted.make(`k1:${Buffer.alloc(32, 7).toString("base64")}`),
  dataDir: "/nowhere"
})
const stores = Layer.mergeAll(PartyStorePostgres, ConnectionStore.layer, CommandStore.layer)
/** Another process on the same database: nothing in memory is shared. */
const elsewhere = <A>(work: Effect.Effect<A, never, PartyStore>) =>
  Effect.scoped(
    Effect.flatMap(Layer.build(Layer.fresh(PartyStorePostgres)), (there) => Effect.provide(work, there))
  )

const owner = OwnerId.make("own_1")
const live = "beside-live-0123456789"
const former = "beside-former-0123456789"
const echo = `${live} ${former} ${Buffer.from(former).toString("base64")}`
const exchange: Exchange = {
  id: "exc_1",
  direction: "outbound",
  module: "commands",
  operation: "UNLOCK_CONNECTOR",
  request: {
    method: "POST",
    url: `https://cpo.example/${live}`,
    headers: { a: echo },
    body: echo,
    truncated: false
  },
  response: null,
  outcome: "unknown",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 0,
  requestId: "r",
  correlationId: echo
}

layer(
  stores.pipe(
    Layer.provideMerge(Notifications.layer({ self: "self" })),
    Layer.provideMerge(box),
    Layer.provideMerge(TestDatabase)
  )
)("tokens of a party", (it) => {
  it.effect("that another process has put there are known here at once", () =>
    Effect.gen(function* () {
      const { insert, secrets, update, find } = yield* PartyStore
      const id = PartyId.make("conn_elsewhere")
      yield* insert(partyWith({ id, role: "EMSP" }), [tokenOf("outbound", "tokenA", "elsewhere-first-01")])
      assert.lengthOf(yield* secrets(id), 2, "in its slot, and among all that ever were")
      yield* elsewhere(
        Effect.gen(function* () {
          const there = yield* PartyStore
          yield* there.putToken(id, "outbound", tokenOf("outbound", "tokenC", "elsewhere-second-01"))
        })
      )
      const lastError = "protocol: elsewhere-first-01 and elsewhere-second-01"
      yield* update(id, (party) => ({ ...party, lastError }))
      assert.match(
        String(Option.getOrThrow(yield* find(id)).lastError),
        /^protocol: «tokenA:[0-9a-f]{4}» and «tokenC:[0-9a-f]{4}»$/
      )
    })
  )

  it.effect("keep out of its connection and of its commands", () =>
    Effect.gen(function* () {
      const parties = yield* PartyStore
      const connections = yield* ConnectionStore
      const commands = yield* CommandStore
      const { query } = yield* Database
      const id = ConnectionId.make("conn_beside")
      yield* parties.insert(partyWith({ id, role: "EMSP" }), [tokenOf("outbound", "tokenA", former)])
      yield* parties.putToken(PartyId.make(id), "outbound", tokenOf("outbound", "tokenC", live))
      yield* connections.insert({
        id,
        ownerId: owner,
        label: `CPO ${former}`,
        environment: "test",
        partnerBaseUrl: `https://cpo.example/${former}/versions`,
        ourRole: "EMSP",
        theirRole: "CPO",
        ocpiVersion: "2.2.1",
        status: "pending",
        lastError: echo,
        createdAt: "2026-01-01T00:00:00.000Z",
        registeredAt: null
      })
      yield* connections.update(owner, id, { lastError: `auth: ${echo}`, status: "failed", label: live })
      const command = {
        commandId: CommandId.make("cmd_beside"),
        ownerId: owner,
        connectionId: id,
        command: "UNLOCK_CONNECTOR",
        state: "sent",
        exchange,
        deadline: null,
        createdAt: "2026-01-01T00:00:00.000Z"
      } as const
      yield* commands.insert(command)
      const updated = yield* commands.update(owner, "cmd_beside", { exchange, state: "accepted" })
      const kept = JSON.stringify([
        yield* query({ text: "SELECT c::text FROM connection c" }),
        yield* query({ text: "SELECT c::text FROM command c" }),
        updated
      ])
      for (const text of [live, former, Buffer.from(former).toString("base64").replace(/=+$/, "")])
        assert.notInclude(kept, text)
      assert.strictEqual(Option.getOrThrow(yield* connections.find(owner, id)).status, "failed")
    })
  )
})
