import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Locks } from "../../../src/database/Locks.ts"
import { JourneyRuns } from "../../../src/journeys/JourneyRuns.ts"
import { maxScenarios, RateLimits } from "../../../src/services/accounts/RateLimits.ts"
import { Connections } from "../../../src/services/connections/Connections.ts"
import { Scenarios } from "../../../src/services/runs/Scenarios.ts"
import { BucketStore } from "../../../src/store/accounts/BucketStore.ts"
import { ScenarioStore } from "../../../src/store/rows/ScenarioStore.ts"
import { callers } from "../../support/http/memoryStores.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const scenarios = Scenarios.layer.pipe(
  Layer.provide(RateLimits.layer()),
  Layer.provide([
    ScenarioStore.layer,
    BucketStore.layer,
    Locks.layer,
    Layer.mock(JourneyRuns, { misfits: () => [], catalogue: () => [], packs: () => [] }),
    Layer.mock(Connections, {})
  ]),
  Layer.provideMerge(TestDatabase)
)

layer(scenarios, { excludeTestServices: true })("saved scenarios", (it) => {
  it.effect(`are at most ${maxScenarios} of an account, imported ones among them`, () =>
    Effect.gen(function* () {
      const { create, importFile, list, remove } = yield* Scenarios
      const alice = callers["alice-key"]!
      const draft = { name: "Slow", templateId: "remote-start", inputs: {} }
      const file = "name: From a file\ntemplateId: remote-start\n"
      yield* Effect.forEach(Array.from({ length: maxScenarios - 1 }), () => create(alice, draft), {
        concurrency: 8
      })
      yield* importFile(alice, file)
      const full = yield* Effect.flip(create(alice, draft))
      assert.strictEqual(full._tag, "TooMany")
      assert.match(full.message, /saved scenarios an account; delete one first/)
      assert.strictEqual((yield* Effect.flip(importFile(alice, file)))._tag, "TooMany")
      yield* create(callers["bob-key"]!, draft)
      const [newest] = yield* list(alice, { limit: 1 })
      yield* remove(alice, newest!.id)
      yield* create(alice, draft)
    })
  )
})
