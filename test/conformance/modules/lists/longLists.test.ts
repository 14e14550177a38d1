/** Lists that a partner makes as long as a run reads: judged a step at a time, so that the service goes on meanwhile. */
import { assert, describe, it } from "vitest"
import { objectSearch } from "../../../../src/conformance/modules/shared/objects/listedObjects.ts"
import { answered, evidenceFrom } from "../../support/handmade.ts"

describe("the search for the objects of a list", () => {
  it("looks at a page when it comes to it, and at no page before", () => {
    const looked: Array<number> = []
    const page = (number: number) => {
      const data = [{ id: `${number}a` }, { id: `${number}b` }]
      const [first] = data
      Object.defineProperty(data, 0, {
        get: () => {
          looked.push(number)
          return first
        }
      })
      return answered("tariffs", data)
    }
    const evidence = evidenceFrom({ "tariffs.list": [page(1)], "tariffs.crawl": [page(2), page(3)] })
    const search = objectSearch(evidence, "tariffs")
    const steps: Array<ReadonlyArray<number>> = []
    while (search.step()) steps.push(looked.splice(0))
    assert.deepStrictEqual(steps, [[1], [], [2], [], [3], []])
    assert.deepStrictEqual(
      search.result().map(({ json }) => json["id"]),
      ["1a", "1b", "2a", "2b", "3a", "3b"]
    )
  })
})
