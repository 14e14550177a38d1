/** What is derived from evidence that still grows: it is never kept longer than what it was derived from. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { type Gathered, makeEvidence } from "../../src/conformance/model/Evidence.ts"
import { objectsOf, wholeList } from "../../src/conformance/modules/shared/objects/listedObjects.ts"
import { exchanged, honest, party, root } from "./support/honestPartner.ts"

const world = {
  party,
  profile: profileOf("2.2.1"),
  startedAt: "2026-06-01T12:00:00.000Z",
  trustedPrefixes: [],
  mark: "TST-000001",
  graceSeconds: 0,
  tokens: []
}

const page = (id: string, query: string): Gathered => ({
  seen: [
    exchanged(
      honest,
      {
        url: new URL(`${root}/2.2.1/locations${query}`),
        token: "good",
        about: "",
        requestId: "r",
        correlationId: "c"
      },
      { module: "locations", operation: "list" },
      id
    )
  ]
})

describe("what is derived from evidence", () => {
  it("is derived again when a probe that it was read from has gathered something since", () => {
    const results = new Map<string, Gathered>([["locations.list", page("exc_1", "")]])
    const evidence = makeEvidence(world, results)
    const ids = () => objectsOf(evidence, "locations").map(({ json }) => json["id"])
    // A probe looks at the objects before the crawl is over, as the one that chooses a token of the partner does.
    assert.deepStrictEqual(ids(), ["A", "B"])
    results.set("locations.crawl", page("exc_2", "?offset=2"))
    assert.deepStrictEqual(ids(), ["A", "B", "C"])
    assert.strictEqual(wholeList(evidence, "locations")?.length, 3)
  })

  it("is derived again when a probe is gathered anew, as the calls of the partner are", () => {
    const results = new Map<string, Gathered>([["inbound", { seen: [] }]])
    const evidence = makeEvidence(world, results)
    const calls = () => evidence.once("calls", () => evidence.seen("inbound").length)
    assert.strictEqual(calls(), 0)
    results.delete("inbound")
    assert.strictEqual(calls(), 0)
    results.set("inbound", page("exc_1", ""))
    assert.strictEqual(calls(), 1)
  })

  it("is derived once from the same evidence, also where one derivation is made from another", () => {
    const results = new Map<string, Gathered>([["a", page("exc_1", "")]])
    const evidence = makeEvidence(world, results)
    let [inner, outer] = [0, 0]
    const both = () =>
      evidence.once("outer", () => {
        outer += 1
        return evidence.once("inner", () => {
          inner += 1
          return evidence.seen("a").length + evidence.seen("b").length
        })
      })
    assert.deepStrictEqual([both(), both(), inner, outer], [1, 1, 1, 1])
    // Already derived when the outer one begins: it depends on the same probes all the same.
    results.set("b", page("exc_2", ""))
    assert.strictEqual(
      evidence.once("inner", () => evidence.seen("b").length),
      1
    )
    assert.deepStrictEqual([both(), inner, outer], [1, 1, 2])
    results.set("b", page("exc_3", "?offset=2"))
    assert.deepStrictEqual([both(), inner, outer], [2, 2, 3])
  })

  it("is not kept when the derivation fails", () => {
    const evidence = makeEvidence(world, new Map())
    const fails = () =>
      evidence.once("fails", () => {
        throw new Error("no")
      })
    assert.throws(fails)
    assert.throws(fails)
    assert.strictEqual(
      evidence.once("next", () => 1),
      1
    )
  })
})
