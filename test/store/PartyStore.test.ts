import { Context, Effect, Layer, Redacted } from "effect"
import { Notifications, type NotificationsOptions } from "../../src/database/Notifications.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { PartyStorePostgres } from "../../src/store/parties/PartyStorePostgres.ts"
import { SecretBox } from "../../src/store/secrets/SecretBox.ts"
import { partyExchangesContract, twoProcessesContract } from "../contracts/partyExchanges.ts"
import { partyObjectsContract } from "../contracts/partyObjects.ts"
import { partyStoreContract } from "../contracts/partyStore.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const box = SecretBox.layer({
  keys: Redacted.make(`k1:${Buffer.alloc(32, 7).toString("base64")}`),
  dataDir: "/nowhere"
})

const storeOf = (notifications: NotificationsOptions<never>) =>
  PartyStorePostgres.pipe(Layer.provide(Notifications.layer(notifications)), Layer.provide(box))

const postgres = storeOf({ self: "test" }).pipe(Layer.provide(TestDatabase))

for (const contract of [partyStoreContract, partyObjectsContract, partyExchangesContract]) {
  contract("PartyStoreMemory", PartyStoreMemory)
  contract("PartyStorePostgres", postgres)
}

twoProcessesContract(
  "PartyStorePostgres",
  Effect.gen(function* () {
    const database = yield* Layer.build(TestDatabase)
    const storeIn = (notifications: NotificationsOptions<never>) =>
      Effect.map(
        Layer.build(Layer.provide(storeOf(notifications), Layer.succeedContext(database))),
        (context) => Context.get(context, PartyStore)
      )
    // One that takes itself for alone tells nobody.
    return {
      here: yield* storeIn({ self: "here" }),
      elsewhere: yield* storeIn({ self: "elsewhere", alone: Effect.succeed(true) })
    }
  })
)
