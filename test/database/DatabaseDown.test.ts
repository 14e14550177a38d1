import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import pg from "pg"
import {
  DatabaseDown,
  downOrDefect,
  isDatabaseDown,
  isDuplicate,
  isLoss
} from "../../src/database/DatabaseDown.ts"

const sqlState = (code: string) => Object.assign(new pg.DatabaseError("said", 4, "error"), { code })

describe("an error of Postgres", () => {
  it.each([
    "08006",
    "40001",
    "40P01",
    "53100",
    "53300",
    "57014",
    "57P01",
    "57P03",
    "58030",
    "XX000",
    "25006",
    "55P03"
  ])("is a loss with SQLSTATE %s: the same statement may be tried again", (code) => {
    assert.isTrue(isLoss(sqlState(code)))
  })

  it.each(["22P02", "23505", "23514", "25P02", "42501", "42601", "42P01", "0A000", "55006"])(
    "is none with SQLSTATE %s: it would fail again",
    (code) => {
      assert.isFalse(isLoss(sqlState(code)))
    }
  )

  it("is a loss when the connection broke, and however deep that is wrapped", () => {
    const refused = Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" })
    for (const error of [
      refused,
      new Error("Connection terminated unexpectedly"),
      new Error("timeout expired"),
      new Error("wrapped", { cause: new Error("wrapped again", { cause: refused }) }),
      new DatabaseDown({ message: "away" })
    ])
      assert.isTrue(isLoss(error), String(error))
  })

  it("is no loss when it is our own mistake", () => {
    for (const error of [new TypeError("x is not a function"), undefined, null, "57P01", 57, { code: 57 }])
      assert.isFalse(isLoss(error))
  })

  it("is a duplicate with 23505 and nothing else", () => {
    assert.isTrue(isDuplicate(sqlState("23505")))
    for (const error of [sqlState("23503"), new Error("23505"), undefined]) assert.isFalse(isDuplicate(error))
  })

  it.effect("fails with the typed error, or is a defect as it stands", () =>
    Effect.gen(function* () {
      const lost = yield* Effect.exit(downOrDefect(sqlState("57P01")))
      assert.strictEqual((yield* Effect.flip(downOrDefect(sqlState("57P01"))))._tag, "DatabaseDown")
      assert.isTrue(Exit.isFailure(lost) && isDatabaseDown(lost.cause))
      const wrong = sqlState("42601")
      const died = yield* Effect.exit(downOrDefect(wrong))
      assert.isTrue(Exit.isFailure(died) && !isDatabaseDown(died.cause) && Cause.squash(died.cause) === wrong)
    })
  )
})
