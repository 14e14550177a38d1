/** The filter under which a Link is followed: what it leaves of a list has a second page, in every version. */
import { assert, describe, it } from "@effect/vitest"
import { listProbes } from "../../../../src/conformance/modules/shared/listProbes.ts"
import { answered, evidenceFrom } from "../../support/handmade.ts"

const probe = listProbes("tokens").find(({ id }) => id === "tokens.filtered")!

/** The window that is asked for at a list of objects with these stamps; undefined: none. */
const windowOf = (...stamps: ReadonlyArray<string>) => {
  const list = answered(
    "tokens",
    stamps.map((last_updated, index) => ({ uid: `T${index}`, last_updated }))
  )
  if (!("asks" in probe)) return undefined
  const asked = probe.asks(evidenceFrom({ "tokens.list": [list], "tokens.crawl": [] }))
  return "withheld" in asked ? undefined : asked[0]?.query
}
const day = (of: number, time = "12:00:00Z") => `2026-01-0${of}T${time}`

describe("the window of a filtered list", () => {
  it("leaves two objects at least, and has none on its bounds, which some versions include and others do not", () => {
    assert.deepInclude(windowOf(day(1), day(2), day(3)), { date_from: "2026-01-02T11:59:59Z" })
    const four = windowOf(day(1), day(2), day(3), day(4), day(5))
    assert.deepInclude(four, { date_from: "2026-01-03T11:59:59Z", date_to: "2026-01-05T11:59:59Z" })
  })

  it("is of whole seconds, also where the stamps are of one", () => {
    const near = windowOf(day(1, "12:00:00.100Z"), day(1, "12:00:00.200Z"), day(1, "12:00:00.300Z"))
    assert.deepInclude(near, { date_from: "2026-01-01T12:00:00Z" })
  })

  it("is none where no two objects are newer than another one", () => {
    assert.isUndefined(windowOf(day(1), day(2)))
    assert.isUndefined(windowOf(day(1), day(1), day(1)))
  })
})
