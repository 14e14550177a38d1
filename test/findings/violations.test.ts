import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ciString, intBetween, list, nonEmptyList, ocpiString, optional } from "../../schema/ocpi/types.ts"
import { atPointer, placeInWords, pointerInWords, pointerOf } from "../../src/findings/pointer.ts"
import { violations } from "../../src/findings/violations/violations.ts"

const Plug = Schema.Struct({ id: ciString(3), kind: Schema.Literal("SOCKET", "CABLE") })
const Post = Schema.Struct({
  name: ocpiString(5),
  level: optional(intBetween(0, 9)),
  plugs: nonEmptyList(Plug),
  notes: list(ocpiString(5)),
  main: optional(Plug)
})
const good = { name: "one", plugs: [{ id: "a", kind: "CABLE" }] }
const only = (json: unknown) => {
  const flaws = violations(Post, json)
  assert.strictEqual(flaws.length, 1, JSON.stringify(flaws))
  return flaws[0]!
}

describe("violations", () => {
  it("has none for what fits", () => assert.deepStrictEqual(violations(Post, good), []))

  it("names every one, in the order of the fields", () => {
    const json = {
      plugs: [{ id: "long" }, { id: 1, kind: "CABLE" }],
      notes: ["fine", "too long", null],
      main: "x"
    }
    assert.deepStrictEqual(
      violations(Post, json).map(({ pointer }) => pointer),
      ["/name", "/plugs/0/id", "/plugs/0/kind", "/plugs/1/id", "/notes/1", "/notes/2", "/main"]
    )
  })

  it("says that a field is missing and what belongs there", () => {
    assert.deepStrictEqual(only({ plugs: good.plugs }), {
      message: "name is missing",
      pointer: "/name",
      expected: "text of at most 5 printable characters",
      actual: "nothing"
    })
  })

  it("says once that an object is wrapped, and not that each of its fields is missing", () => {
    const envelope = { data: good, status_code: 1000, timestamp: "2026-01-01T00:00:00Z" }
    assert.deepInclude(only(envelope), {
      message: "the value is wrapped in an OCPI envelope: the object itself is expected here",
      pointer: ""
    })
    assert.include(only({ post: good }).message, 'wrapped in the field "post"')
    // What has fields of its own, and what has none inside either, is judged as it is.
    assert.strictEqual(violations(Post, { data: {}, status_code: 1000 }).length, 2)
    assert.strictEqual(violations(Post, { post: { other: 1 } }).length, 2)
    assert.strictEqual(only({ name: "one" }).pointer, "/plugs")
    const free = Schema.Struct({ level: optional(intBetween(0, 9)) })
    assert.deepStrictEqual(violations(free, { vendor: { level: 1 } }), [])
  })

  it("says how long a text is", () => {
    assert.strictEqual(
      only({ ...good, name: "too long" }).message,
      "name is 8 characters long; at most 5 are allowed"
    )
  })

  it("names the allowed values", () => {
    const flaw = only({ ...good, plugs: [{ id: "a", kind: "WIRE" }] })
    assert.deepInclude(flaw, { expected: "one of SOCKET, CABLE", actual: '"WIRE"' })
    assert.strictEqual(flaw.message, 'plugs[0].kind is "WIRE", which is not an allowed value')
  })

  it("caps the list of allowed values", () => {
    const letters = Schema.Literal("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N")
    assert.strictEqual(
      violations(letters, "Z")[0]!.expected,
      "one of A, B, C, D, E, F, G, H, I, J, K, L (and 2 more)"
    )
  })

  it("tells when only upper and lower case are wrong", () => {
    assert.include(only({ ...good, plugs: [{ id: "a", kind: "cable" }] }).message, "it must be CABLE")
  })

  it("looks into an optional object", () => {
    assert.strictEqual(only({ ...good, main: { id: "a", kind: 7 } }).pointer, "/main/kind")
  })

  it("does not mention null to whom an optional field is wrong", () => {
    assert.strictEqual(only({ ...good, level: 12 }).expected, "a whole number from 0 to 9")
  })

  it("says that null is no value", () => {
    assert.strictEqual(only({ ...good, name: null }).message, "name is null, but must have a value")
  })

  it("tells an empty list from a missing one", () => {
    assert.strictEqual(only({ ...good, plugs: [] }).message, "plugs is an empty list")
    assert.strictEqual(only({ name: "one" }).message, "plugs is missing")
  })

  it("has the empty pointer for the whole", () => {
    assert.deepInclude(only([]), { pointer: "", message: "the value is an empty list; expected an object" })
  })

  it("cuts a long value", () => assert.isBelow(only({ ...good, name: "x".repeat(1000) }).actual!.length, 100))

  it("offers the members of a real union", () => {
    const either = Schema.Union(Schema.String, Schema.Struct({ result: Schema.String }))
    assert.strictEqual(violations(either, 7)[0]!.expected, "text, or an object")
  })

  it("begins where it is told to", () => {
    assert.strictEqual(violations(Plug, { id: "a" }, ["data", 3])[0]!.pointer, "/data/3/kind")
  })
})

describe("pointers", () => {
  it("escape ~ and /", () => assert.strictEqual(pointerOf(["a/b", "~", 0]), "/a~1b/~0/0"))

  it("lead back to the value", () => {
    assert.strictEqual(atPointer({ "a/b": { "~": ["here"] } }, "/a~1b/~0/0"), "here")
    assert.isUndefined(atPointer({ a: 1 }, "/a/b"))
    assert.deepStrictEqual(atPointer([1], ""), [1])
  })

  it("have a form for people", () =>
    assert.strictEqual(placeInWords(["evses", 0, "status"]), "evses[0].status"))

  it("are written out from a pointer as well", () =>
    assert.strictEqual(pointerInWords("/evses/0/a~1b"), "evses[0].a/b"))
})
