/** A long poll waits until there may be a line that it has not seen. */
import { assert, describe } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { live } from "../support/runs/feedFixture.ts"
import { newRun, started } from "../support/runs/sampleRun.ts"

const soon = "2 seconds"

describe("waiting for the next line", () => {
  live("ends at once when the line is there", ({ feed, ledger }) =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      yield* ledger.append(next(1, [started]))
      yield* feed.next(runId, 1).pipe(Effect.timeout(soon), Effect.orDie)
    })
  )

  live("ends when this process writes, when another one says so, and when a word is lost", (fixture) =>
    Effect.gen(function* () {
      const { elsewhere, feed, ledger, wake } = fixture
      for (const word of ["own", "one", "all", "none"] as const) {
        const { next, runId } = yield* newRun(ledger)
        const waiting = yield* Effect.fork(feed.next(runId, 1))
        yield* Effect.sleep("20 millis")
        assert.isNull(waiting.unsafePoll(), word)
        yield* (word === "own" ? ledger : elsewhere).append(next(1, [started]))
        if (word === "one") yield* wake(runId)
        if (word === "all") yield* wake(null)
        const [took] = yield* Effect.timed(Fiber.join(waiting))
        if (word !== "none") assert.isBelow(Duration.toMillis(took), 1500, word)
      }
    })
  )
})
