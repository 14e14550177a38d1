import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { OwnerId, RunId } from "../../schema/Ids.ts"
import { applyChanges, changesBetween } from "../../src/ledger/postgres/snapshotChanges.ts"
import { makeStarts, readSnapshot } from "../../src/ledger/postgres/storedSnapshot.ts"
import { emptyView } from "../../src/ledger/run/runView.ts"
import { newFacts } from "../support/runs/sampleRun.ts"

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe("changes of a snapshot", () => {
  it("give the later snapshot back, whatever the two are", () => {
    const json = fc.jsonValue({ maxDepth: 5 })
    fc.assert(
      fc.property(json, json, (before, now) => {
        const changes = throughJson(changesBetween(before, now)) as ReturnType<typeof changesBetween>
        assert.deepStrictEqual(applyChanges(throughJson(before), changes), throughJson(now))
      })
    )
  })

  it("give it back when only single keys came, went or changed", () => {
    const key = fc.constantFrom("a", "b", "c")
    const value = fc.constantFrom(null, 0, "x", [1], { y: 1 }, undefined)
    const tree = fc.dictionary(
      key,
      fc.oneof(value, fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value))))
    )
    fc.assert(
      fc.property(tree, tree, (before, now) => {
        const changes = throughJson(changesBetween(before, now)) as ReturnType<typeof changesBetween>
        assert.deepStrictEqual(applyChanges(throughJson(before), changes), throughJson(now))
      })
    )
  })

  it("leave out what stayed the same, also when it is another object", () => {
    const before = { machine: { context: { stages: [{ id: "a" }], index: 0 } }, view: { status: "queued" } }
    const now = { machine: { context: { stages: [{ id: "a" }], index: 1 } }, view: { status: "queued" } }
    assert.deepStrictEqual(changesBetween(before, now), [[["machine", "context", "index"], 1]])
  })
})

describe("stored snapshots", () => {
  const facts = newFacts({ ownerId: OwnerId.make("own_1") })
  const first = { machine: { value: "queued" }, view: emptyView(facts) }
  const later = { machine: { value: "running" }, view: { ...first.view, lastSequence: 7 } }

  it("are read back from the start and what has changed since", () => {
    const starts = makeStarts()
    starts.keep(facts.runId, first)
    const text = starts.textOf(facts.runId, later)
    assert.isBelow(text.length, 120)
    assert.deepStrictEqual(readSnapshot(JSON.stringify(first), text), later)
  })

  it("are read back after every append, whatever stayed, changed or went since the one before", () => {
    const part = fc.constantFrom<unknown>(null, 1, [1], [2], { x: 1 }, { x: { y: [] } })
    const machine = fc.dictionary(fc.constantFrom("a", "b", "c"), part)
    fc.assert(
      fc.property(fc.array(machine, { minLength: 2 }), (machines) => {
        const starts = makeStarts()
        const [start, ...appended] = machines.map((machine) => ({ machine, view: first.view }))
        starts.keep(facts.runId, start!)
        for (const snapshot of appended) {
          const text = starts.textOf(facts.runId, snapshot)
          assert.deepStrictEqual(readSnapshot(JSON.stringify(start), text), snapshot)
        }
      })
    )
  })

  it("are whole when the start of the run is not known here", () => {
    const text = makeStarts().textOf(RunId.make("run_unknown"), later)
    assert.deepStrictEqual(readSnapshot(JSON.stringify(first), text), later)
  })

  it("are read from rows of before the start was kept", () => {
    assert.deepStrictEqual(readSnapshot(null, JSON.stringify(later)), later)
  })
})
