/** A conformance run whose lease is over while its worker is still there, and that this very process claims again. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OwnerId } from "../../../schema/Ids.ts"
import { isEnding } from "../../../schema/LedgerEvent.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { Placement } from "../../../src/placement/Placement.ts"
import { gradedQuickly } from "../../support/parties/quickWorld.ts"

describe("a suite run that lost its lease", () => {
  it.live(
    "goes on in the same process, and is graded to its end",
    () =>
      Effect.gen(function* () {
        const { events } = yield* gradedQuickly({
          version: "2.2.1",
          role: "CPO",
          modules: ["sessions"],
          listenSeconds: 60,
          meanwhile: () =>
            Effect.gen(function* () {
              const ledger = yield* Ledger
              const [run] = yield* Effect.repeat(
                Effect.delay(ledger.list({ ownerId: OwnerId.make("own_1"), limit: 1 }), "5 millis"),
                { until: (found) => (found[0]?.snapshot.view.lastSequence ?? 0) > 5 }
              )
              yield* (yield* Placement).release(run!.facts.runId, run!.leaseEpoch)
            })
        })
        assert.include(
          events.map(({ type }) => type),
          "run.resumed"
        )
        assert.strictEqual(events.findLast(isEnding)?.type, "run.completed")
      }),
    60_000
  )
})
