import { assert, describe, it } from "@effect/vitest"
import { versions } from "../../schema/ocpi/versions.ts"
import { objectDifferences } from "../../src/findings/objectDifferences.ts"

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
