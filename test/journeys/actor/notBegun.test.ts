/** What a journey says where a person at the partner has to begin: nothing came, or something that was almost right. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { objectIn } from "../../../src/findings/json.ts"
import type { Behaviour } from "../../../src/party/wire/PartnerQuirks.ts"
import { playedQuickly } from "../support/sandboxJourney.ts"

const tokenPush = (push: Behaviour["push"]) =>
  playedQuickly({
    templateId: "token-push",
    version: "2.2.1",
    role: "EMSP",
    inputs: { waitSeconds: 10 },
    deviation: { push }
  })

describe("a stage that a person at the partner has to begin", () => {
  it.effect("blames nobody where no call came, and ends what depends on it", () =>
    Effect.gen(function* () {
      const { assertions, verdict } = yield* tokenPush(() => [])
      assert.strictEqual(verdict, "inconclusive")
      const [, received, ...later] = assertions
      assert.deepInclude(received, {
        id: "token-pushed.received",
        outcome: "unobservable",
        attribution: "operator"
      })
      assert.match(received?.reason ?? "", /^No request of the partner to our endpoint tokens came/)
      for (const { attribution, outcome } of later)
        assert.deepStrictEqual([outcome, attribution], ["not_tested", "operator"])
    })
  )

  it.effect("fails where a call came by another method, and says so", () =>
    Effect.gen(function* () {
      const { assertions, verdict } = yield* tokenPush((push) => [{ ...push, method: "POST" }])
      assert.strictEqual(verdict, "fail")
      const received = assertions.find(({ id }) => id === "token-pushed.received")
      assert.match(
        received?.message ?? "",
        /Almost: POST came to \/ocpi\/2\.2\.1\/tokens\/.*, and we refused it: This method is not offered here/
      )
    })
  )

  it.effect("blames nobody where no Credit CDR came", () =>
    Effect.gen(function* () {
      const { assertions } = yield* playedQuickly({
        templateId: "credit-cdr",
        version: "2.2.1",
        inputs: { waitSeconds: 60 },
        deviation: { push: (push) => (objectIn(push.body)["credit"] === true ? [] : [push]) }
      })
      assert.deepInclude(
        assertions.find(({ id }) => id === "credit-cdr.received"),
        { outcome: "unobservable", attribution: "operator" }
      )
      assert.deepStrictEqual(
        assertions.filter(({ outcome }) => outcome === "failed"),
        []
      )
    })
  )
})

describe("a call that ends a wait", () => {
  it.effect("is no near miss", () =>
    Effect.gen(function* () {
      const { events } = yield* playedQuickly({ templateId: "remote-start", version: "2.2.1" })
      const misses = events.flatMap((event) =>
        event.type === "inbound.received" && event.data?.nearMiss !== undefined ? [event.data.nearMiss] : []
      )
      assert.deepStrictEqual(
        misses.filter((miss) => /is ACTIVE, not yet ACTIVE|is COMPLETED, not yet COMPLETED/.test(miss)),
        []
      )
    })
  )
})
