import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { dateTimeMillis, dateTimeOf, isOfWholeSeconds, latestMillis } from "../../../schema/ocpi/DateTime.ts"

describe("reading a DateTime", () => {
  it("takes text without a designator for UTC, wherever the machine stands", () => {
    assert.strictEqual(dateTimeMillis("2015-06-29T20:39:09"), Date.UTC(2015, 5, 29, 20, 39, 9))
    assert.strictEqual(dateTimeMillis("2015-06-29T20:39:09Z"), Date.UTC(2015, 5, 29, 20, 39, 9))
  })

  it("reads fractions of a second down to the millisecond", () => {
    assert.strictEqual(dateTimeMillis("2016-12-29T17:45:09.2Z"), Date.UTC(2016, 11, 29, 17, 45, 9, 200))
    assert.strictEqual(dateTimeMillis("2016-12-29T17:45:09.1239"), Date.UTC(2016, 11, 29, 17, 45, 9, 123))
  })

  for (const text of [
    "2024-02-29T00:00:00Z",
    "2000-02-29T00:00:00Z",
    "0004-02-29T00:00:00Z",
    "1970-01-01T00:00:00Z"
  ]) {
    it(`accepts ${text}`, () => assert.isDefined(dateTimeMillis(text)))
  }

  for (const text of [
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+00:00",
    "2026-01-01T00:00:00-05:00",
    "2026-01-01T00:00:00z",
    "2026-01-01 00:00:00Z",
    "2026-1-1T00:00:00Z",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00Z",
    "2026-01-01",
    ""
  ]) {
    it(`refuses "${text}"`, () => assert.isUndefined(dateTimeMillis(text)))
  }

  it("refuses what is no text", () => {
    for (const value of [5, null, undefined, ["2026-01-01T00:00:00Z"]])
      assert.isUndefined(dateTimeMillis(value))
  })

  it("knows the last millisecond that a text may stand for", () => {
    assert.strictEqual(latestMillis("2026-01-01T12:00:00Z"), Date.UTC(2026, 0, 1, 12, 0, 0, 999))
    assert.strictEqual(latestMillis("2026-01-01T12:00:00.1Z"), Date.UTC(2026, 0, 1, 12, 0, 0, 100))
    assert.isUndefined(latestMillis("2026-02-30T12:00:00Z"))
    assert.isFalse(isOfWholeSeconds(5))
  })

  it("counts a leap second as the first instant of the next day", () => {
    assert.strictEqual(dateTimeMillis("2016-12-31T23:59:60Z"), Date.UTC(2017, 0, 1))
  })

  it("keeps the years of the first century where they are", () => {
    assert.strictEqual(dateTimeMillis("0050-01-01T00:00:00Z"), Date.parse("0050-01-01T00:00:00Z"))
  })
})

describe("writing a DateTime", () => {
  it("cuts the milliseconds, because not every version shows them", () => {
    assert.strictEqual(dateTimeOf(Date.UTC(2026, 0, 31, 23, 59, 59, 999)), "2026-01-31T23:59:59Z")
  })

  it("is undone by reading, to the second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (second) => {
        assert.strictEqual(dateTimeMillis(dateTimeOf(second * 1000)), second * 1000)
      })
    )
  })
})
