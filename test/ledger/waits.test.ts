/** A long poll waits until there may be a line that it has not seen. */
import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Fixture, live } from "../support/runs/feedFixture.ts"
import { newRun, started } from "../support/runs/sampleRun.ts"

describe("waiting for the next line", () => {
  live(
    "ends at once when the line is there",
    ({ feed, ledger }) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(ledger)
        yield* ledger.append(next(1, [started]))
        yield* feed.next(runId, 1)
      }),
    // Whoever is not told waits for longer than a test may.
    { pollSeconds: 60 }
  )

  const waited = ({ elsewhere, feed, ledger, wake }: Fixture, word: "own" | "one" | "all" | "none") =>
    Effect.gen(function* () {
      const { next, runId } = yield* newRun(ledger)
      const waiting = yield* Effect.fork(feed.next(runId, 1))
      yield* Effect.sleep("20 millis")
      assert.isNull(waiting.unsafePoll(), word)
      yield* (word === "own" ? ledger : elsewhere).append(next(1, [started]))
      if (word === "one") yield* wake(runId)
      if (word === "all") yield* wake(null)
      yield* Fiber.join(waiting)
    })

  live(
    "ends when this process writes, and when another one says so",
    (fixture) =>
      Effect.forEach(["own", "one", "all"] as const, (word) => waited(fixture, word), { discard: true }),
    { pollSeconds: 60 }
  )

  live("ends when a word is lost", (fixture) => waited(fixture, "none"))
})
