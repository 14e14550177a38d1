import { Layer, Redacted } from "effect"
import { Notifications } from "../../src/database/Notifications.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { PartyStorePostgres } from "../../src/store/parties/PartyStorePostgres.ts"
import { SecretBox } from "../../src/store/secrets/SecretBox.ts"
import { partyExchangesContract } from "../contracts/partyExchanges.ts"
import { partyObjectsContract } from "../contracts/partyObjects.ts"
import { partyStoreContract } from "../contracts/partyStore.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const box = SecretBox.layer({
  keys: Redacted.make(`k1:${Buffer.alloc(32, 7).toString("base64")}`),
  dataDir: "/nowhere"
})

const postgres = PartyStorePostgres.pipe(
  Layer.provide(Notifications.layer({ self: "test" })),
  Layer.provide(TestDatabase),
  Layer.provide(box)
)

for (const contract of [partyStoreContract, partyObjectsContract, partyExchangesContract]) {
  contract("PartyStoreMemory", PartyStoreMemory)
  contract("PartyStorePostgres", postgres)
}
