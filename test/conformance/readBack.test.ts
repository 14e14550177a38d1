import { assert, describe, it } from "@effect/vitest"
import { versions } from "../../schema/ocpi/versions.ts"
import { judgeRead } from "../../src/conformance/modules/shared/readBack.ts"
import { objectDifferences, toldOtherwise } from "../../src/findings/objectDifferences.ts"
import { answered } from "./support/handmade.ts"

const found = (sent: unknown, got: unknown, version: keyof typeof versions = "2.2.1") =>
  objectDifferences(sent, got, versions[version])
const evses = [
  { uid: "E1", status: "AVAILABLE" },
  { uid: "E2", status: "CHARGING" }
]

describe("differences of what is read back", () => {
  it("are none when parts with ids stand in another order", () => {
    assert.deepStrictEqual(found({ evses }, { evses: evses.toReversed() }), [])
    assert.deepStrictEqual(found({ tariff_ids: ["A", "B"] }, { tariff_ids: ["B", "A"] }), [])
  })

  it("name the part that is different", () => {
    const changed = [evses[1], { uid: "E1", status: "BLOCKED" }]
    assert.deepStrictEqual(found({ evses }, { evses: changed }), [
      { pointer: "/evses/0/status", expected: "AVAILABLE", actual: "BLOCKED" }
    ])
  })

  it("leave out what the partner has added of its own to what it told before", () => {
    const connector = { id: "1", standard: "CHADEMO", x_brand: "B" }
    const location = { id: "L1", vendor: { a: [1] }, evses: [{ uid: "E1", x: 1, connectors: [connector] }] }
    const other = { id: "L1", evses: [{ uid: "E1", connectors: [{ id: "1", standard: "DOMESTIC_F" }] }] }
    const told = toldOtherwise(versions["2.3.0"], "Location", location, other)
    assert.deepStrictEqual(told, [
      { pointer: "/evses/0/connectors/0/standard", expected: "CHADEMO", actual: "DOMESTIC_F" }
    ])
  })

  it("say when another part stands in the place of one", () => {
    const other = [evses[0], { uid: "E9", status: "CHARGING" }]
    assert.deepStrictEqual(found({ evses }, { evses: other }), [
      { pointer: "/evses/1/uid", expected: "E2", actual: "E9" }
    ])
  })

  it("count the order of what has no id", () => {
    const elements = [{ price: 1 }, { price: 2 }]
    assert.lengthOf(found({ elements }, { elements: elements.toReversed() }), 2)
  })

  it("are none for instants in another form and for null instead of nothing", () => {
    const sent = { last_updated: "2026-06-01T12:00:00Z", images: [] }
    assert.deepStrictEqual(found(sent, { last_updated: "2026-06-01T12:00:00.000Z", images: null }), [])
  })
})

describe("an object that is read back otherwise", () => {
  const sent = { id: "L1", name: "Here", evses }
  const toldOf = (data: unknown) => {
    const seen = answered("locations", data, { operation: "GET location" })
    const judgement = judgeRead({ ...seen, response: seen.exchange.response! }, sent, versions["2.2.1"])
    return judgement.is === "fail" ? judgement.findings : []
  }
  const sentence = (data: unknown) =>
    toldOf(data).map(({ actual, expected, message, pointer }) => [
      message.replace(` (${pointer})`, ""),
      pointer,
      expected,
      actual
    ])

  it("is told with the field, what was expected and what was seen", () => {
    assert.deepStrictEqual(sentence({ ...sent, name: "There" }), [
      ["GET location: name is not what was sent", "/data/name", '"Here"', '"There"']
    ])
    assert.deepStrictEqual(sentence({ id: "L1", evses }), [
      ["GET location: name is missing", "/data/name", '"Here"', "absent"]
    ])
    assert.strictEqual(
      sentence({ ...sent, evses: evses.slice(1) })[0]?.[0],
      "GET location: evses has 1 element, and was sent with 2 elements"
    )
  })

  it("is missing where it is absent, and null where null came", () => {
    assert.strictEqual(sentence({ ...sent, name: undefined })[0]?.[0], "GET location: name is missing")
    assert.strictEqual(
      sentence({ ...sent, name: null })[0]?.[0],
      "GET location: name is null, and was sent with a value"
    )
  })

  it("is told as what it is when it is no object at all", () => {
    const [[message, pointer, expected, actual] = []] = sentence([sent])
    assert.strictEqual(message, "GET location: data is an array of 1 element, not the object that was sent")
    assert.strictEqual(pointer, "/data")
    assert.match(expected ?? "", /^an object: \{"id":"L1"/)
    assert.match(actual ?? "", /^\[\{"id":"L1"/)
    assert.strictEqual(sentence(null)[0]?.[0], "GET location: data is null, not the object that was sent")
    assert.strictEqual(sentence("L1")[0]?.[0], "GET location: data is a text, not the object that was sent")
  })
})
