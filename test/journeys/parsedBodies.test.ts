/** Bodies that a run's rules read again and again are parsed once, as far as that takes little memory. */
import { assert, describe, it } from "vitest"
import { jsonOf } from "../../src/journeys/model/RunHistory.ts"

const message = (length: number) => {
  const empty = JSON.stringify({ data: [""] })
  const body = JSON.stringify({ data: ["x".repeat(length - empty.length)] })
  return { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body, truncated: false }
}
const isShared = (one: ReturnType<typeof message>) => {
  const first = jsonOf(one)
  return jsonOf(one) === first
}

describe("the JSON of a message", () => {
  it("is parsed once, of an object and of a list", () => {
    assert.isTrue(isShared(message(100)))
    assert.isTrue(isShared(message(65_536)))
  })

  it("is parsed at each reading of what is longer", () => {
    const long = message(65_537)
    assert.isFalse(isShared(long))
    assert.deepStrictEqual(jsonOf(long), JSON.parse(long.body))
  })

  it("stays parsed only of the last lists, and of each object", () => {
    const [object, list] = [message(4096), message(4097)]
    const [ofObject, ofList] = [jsonOf(object), jsonOf(list)]
    for (let other = 0; other < 8; other++) jsonOf(message(5000))
    assert.strictEqual(jsonOf(object), ofObject)
    assert.notStrictEqual(jsonOf(list), ofList)
    assert.deepStrictEqual(jsonOf(list), ofList)
  })
})
