import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, ParseResult, type Schema } from "effect"
import * as fc from "fast-check"
import type { ObjectName } from "../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import { everything, flawsOf } from "../../src/findings/violations/issueFlaws.ts"
import {
  FoundFlaws,
  mostFlaws,
  ruledViolations,
  violationsInTurns
} from "../../src/findings/violations/violations.ts"
import { cpuMillis } from "../support/cpuMillis.ts"
import { books } from "../support/ocpi/books.ts"

/** What the library itself finds when it decodes the whole value. */
const decoded = (schema: Schema.Schema.AnyNoContext, json: unknown) =>
  Either.match(ParseResult.decodeUnknownEither(schema, everything)(json), {
    onLeft: (issue) => flawsOf(issue, []),
    onRight: () => []
  })

/** The value with another one at a place of it; which one, is told by numbers that are drawn. */
const changed = (json: unknown, steps: ReadonlyArray<number>, by: unknown): unknown => {
  const [step, ...rest] = steps
  if (step === undefined || typeof json !== "object" || json === null) return by
  const keys = Object.keys(json)
  if (keys.length === 0) return by
  const key = keys[step % keys.length]!
  const part = (json as Record<string, unknown>)[key] // an object or a list, tested above
  const next = changed(part, rest, by)
  return Array.isArray(json)
    ? json.map((item, index) => (String(index) === key ? next : item))
    : { ...json, [key]: next }
}

describe("the violations of a value", () => {
  for (const version of versionNumbers) {
    const { objects } = profileOf(version)
    const book = books[version]
    const names = Object.keys(objects) as ReadonlyArray<ObjectName>

    it(`are those that decoding finds, in its order: single mistakes, ${version}`, () => {
      for (const name of names)
        for (const mutation of book.mutationsOf(name).filter((_, at) => at % 5 === 0)) {
          const json = book.mutated(mutation)
          const schema = objects[mutation.object as ObjectName]!
          assert.deepStrictEqual(ruledViolations(schema, json), decoded(schema, json))
        }
    })

    it(`are those that decoding finds, in its order: anything anywhere, ${version}`, () => {
      const place = fc.array(fc.nat(), { minLength: 0, maxLength: 6 })
      const change = fc.tuple(
        place,
        fc.oneof(fc.jsonValue(), fc.constantFrom("", [], {}, null, "x".repeat(300), 1e300))
      )
      fc.assert(
        fc.property(
          fc.constantFrom(...names),
          fc.boolean(),
          fc.array(change, { maxLength: 5 }),
          (name, full, changes) => {
            const json = changes.reduce<unknown>(
              (value, [steps, by]) => changed(value, steps, by),
              book.example(name, full)
            )
            const schema = objects[name]!
            assert.deepStrictEqual(ruledViolations(schema, json), decoded(schema, json))
          }
        ),
        { numRuns: 200, seed: 14 }
      )
    })
  }
})

const { CDR, Location } = profileOf("2.2.1").objects
const book = books["2.2.1"]
const list = (count: number, item: unknown) => Array.from({ length: count }, () => item)

describe("a value with more mistakes than anybody reads", () => {
  const json = {
    ...(book.example("Location", true) as object),
    id: 1,
    evses: list(5000, {}),
    time_zone: "Mars"
  }

  it("has its first ones told as ever, a few of each kind beyond, and all counted", () => {
    const found = new FoundFlaws()
    const kept = ruledViolations(Location!, json, [], found)
    const all = decoded(Location!, json)
    assert.strictEqual(found.count, all.length)
    assert.deepStrictEqual(kept.slice(0, mostFlaws), all.slice(0, mostFlaws))
    assert.isBelow(kept.length, mostFlaws + 100)
    assert.isTrue(kept.some(({ pointer }) => pointer === "/time_zone"))
  })

  it("shares what is kept among the values that are judged together", () => {
    const found = new FoundFlaws()
    const kept = Array.from({ length: 200 }, () =>
      ruledViolations(Location!, { evses: list(100, {}) }, [], found)
    )
    assert.isAbove(found.count, 80_000)
    assert.isBelow(found.kept.length, mostFlaws + 200)
    assert.strictEqual(kept.flat().length, found.kept.length)
  })

  it("is judged in turns with the same result, and others have theirs in between", async () => {
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const found = await Effect.runPromise(violationsInTurns(Location!, json))
    clearImmediate(timer)
    assert.deepStrictEqual(found.kept, [...ruledViolations(Location!, json)])
    assert.isAbove(turns, 5)
  })

  const attacks: Readonly<Record<string, readonly [Schema.Schema.AnyNoContext, unknown]>> = {
    "EVSEs without anything": [Location!, { evses: list(20_000, {}) }],
    "connectors without anything": [Location!, { evses: [{ connectors: list(20_000, {}) }] }],
    "EVSEs that are numbers": [Location!, { evses: list(20_000, 1) }],
    "words that nobody knows": [Location!, { facilities: list(20_000, "MOON") }],
    "lists of lists": [Location!, { evses: list(300, list(300, [])) }],
    "charging periods without anything": [CDR!, { charging_periods: list(20_000, {}) }],
    "a hundred thousand unknown fields": [
      Location!,
      Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, 1]))
    ],
    "a text of a million characters": [Location!, { id: "x".repeat(1e6), name: "\u{1f600}".repeat(250_000) }],
    "a number of a million digits": [Location!, JSON.parse(`{"evses":[{"floor_level":${"1".repeat(1e6)}}]}`)]
  }
  for (const [name, [schema, value]] of Object.entries(attacks))
    it(`is judged in a moment: ${name}`, () => {
      assert.isBelow(cpuMillis(() => ruledViolations(schema, value)).millis, 250)
    })
})
