/** Whether a request that is made again has already exchanged credentials, on a service where others are called as well. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { alreadyStarted } from "../../../src/services/connections/alreadyStarted.ts"
import { CurrentAttempt } from "../../../src/services/requests/IdempotentRequest.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { exchange, party } from "../../support/parties/heldParties.ts"

const [ours, busy] = [party("p_shaking"), party("p_busy")]
const since = "2026-01-01T00:00:00.000Z"
const sent = {
  ...exchange("credentials", "outbound"),
  module: "credentials",
  startedAt: "2026-01-01T00:00:03.000Z"
}

/** What a later attempt finds after our request, many calls of the partner and of another one. */
const found = (isRetry: boolean, startedAt = sent.startedAt) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    for (const one of [ours, busy]) yield* store.insert(one, [])
    yield* store.record(ours.id, { ...sent, startedAt })
    for (let n = 0; n < 60; n++) {
      yield* store.record(busy.id, exchange(`other${n}`))
      yield* store.record(ours.id, exchange(`push${n}`))
    }
    return yield* alreadyStarted(ours)
  }).pipe(
    Effect.provideService(CurrentAttempt, { idBody: "0", isRetry, since }),
    Effect.provide(PartyStoreMemory)
  )

describe("credentials that an earlier attempt has sent", () => {
  it.effect("are found whatever has come since", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* found(true))
    })
  )

  it.effect("are not looked for by a first attempt, and not found before it", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* found(false))
      assert.isFalse(yield* found(true, "2025-12-31T00:00:00.000Z"))
    })
  )
})
