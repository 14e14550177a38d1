import { Either, ParseResult, Schema } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { issuesOf } from "../../../schema/fields/issues.ts"

const Shape = Schema.Struct({
  kind: Schema.Literal("a", "b"),
  size: Schema.Union(Schema.NonNegativeInt, Schema.DateFromString),
  names: Schema.Array(Schema.String.pipe(Schema.maxLength(3)))
})

const refused = (value: unknown, errors: "all" | "first" = "first") =>
  Either.getOrThrow(Either.flip(Schema.decodeUnknownEither(Shape, { errors })(value)))

/** A list that counts how many of its items are read. */
const counted = (length: number) => {
  const reads = { items: 0 }
  const list = new Proxy(
    Array.from({ length }, () => ({})),
    {
      get: (target, name, receiver) => {
        if (typeof name === "string" && /^\d+$/.test(name)) reads.items += 1
        return Reflect.get(target, name, receiver)
      }
    }
  )
  return { list, reads }
}

describe("issuesOf", () => {
  it("says of short values what the library says", () => {
    const short = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.integer(),
      fc.constant(null),
      fc.constant({ a: [1] })
    )
    fc.assert(
      fc.property(short, short, fc.array(short, { maxLength: 5 }), (kind, size, names) => {
        const decoded = Schema.decodeUnknownEither(Shape, { errors: "all" })({ kind, size, names })
        if (Either.isRight(decoded)) return
        assert.deepStrictEqual(
          issuesOf(decoded.left),
          ParseResult.ArrayFormatter.formatErrorSync(decoded.left)
        )
      })
    )
  })

  it("says in plain words what kind of value is due, and no type of ours", () => {
    const Inner = Schema.Struct({ inner: Schema.String }).annotations({ identifier: "Inner" })
    const Order = Schema.Struct({
      object: Inner,
      record: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
      list: Schema.Array(Schema.String.pipe(Schema.maxLength(3))),
      some: Schema.NonEmptyArray(Schema.Literal("a", "b")),
      filtered: Schema.Array(Schema.String).pipe(Schema.maxItems(2))
    })
    const order = { object: [], record: "x", list: {}, some: [], filtered: null }
    const decoded = Schema.decodeUnknownEither(Order, { errors: "all" })(order)
    assert.deepStrictEqual(
      issuesOf(Either.getOrThrow(Either.flip(decoded))).map(
        ({ message, path }) => `${path.join(".")}: ${message}`
      ),
      [
        "object: Expected an object, actual []",
        'record: Expected an object, actual "x"',
        "list: Expected a list, actual {}",
        "some: expected at least 1 item",
        "filtered: Expected a list, actual null"
      ]
    )
  })

  it("reads no more of a large value than it shows", () => {
    for (const field of ["kind", "size"]) {
      const { list, reads } = counted(300_000)
      const issues = issuesOf(refused({ kind: "a", size: 1, names: [], [field]: list }))
      assert.isAtMost(reads.items, 1000)
      for (const { message } of issues) assert.match(message, /actual \[\{\},\{\},.*…$/)
    }
  })

  it("keeps the messages short, whatever is large", () => {
    const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`)
    const large = ["x".repeat(1e6), { ["k".repeat(1e6)]: 1 }, [["y".repeat(1e6)]], deep]
    for (const value of large)
      for (const { message } of issuesOf(refused({ kind: value, size: value, names: [] }, "all")))
        assert.isAtMost(message.length, 300)
  })

  it("stops after fifty issues", () => {
    const many = refused({ kind: "a", size: 1, names: Array(1000).fill("long") }, "all")
    assert.lengthOf(issuesOf(many), 50)
  })
})
