import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { CurrentAttempt, earlierAttemptsSince } from "../../../src/services/requests/IdempotentRequest.ts"

const at = (isRetry: boolean) =>
  Effect.provideService(earlierAttemptsSince, CurrentAttempt, {
    idBody: "0",
    isRetry,
    since: "2026-01-01T00:00:05.000Z"
  })

describe("what a request knows of an earlier try", () => {
  it.effect("allows for a process whose clock is a little behind the database's", () =>
    Effect.gen(function* () {
      const since = Option.getOrThrow(yield* at(true))
      assert.isBelow(Date.parse(since), Date.parse("2026-01-01T00:00:04.500Z"))
      assert.isAbove(Date.parse(since), Date.parse("2026-01-01T00:00:03.000Z"))
    })
  )
  it.effect("is nothing at the first one", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone(yield* at(false)))
      assert.isTrue(Option.isNone(yield* earlierAttemptsSince))
    })
  )
})
