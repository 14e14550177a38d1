import { assert, describe, it } from "vitest"
import { noProgress, progressAfter, type RunProgress, stageUnderWay } from "../../machines/runProgress.ts"
import { heard, type Line } from "../support/runs/heard.ts"

const heardOf = (...lines: ReadonlyArray<Line>): RunProgress =>
  [{ type: "run.created", data: { stages: ["a", "b"] } } as Line, ...lines]
    .map(heard)
    .reduce(progressAfter, noProgress)
const statesOf = ({ stages }: RunProgress) => stages.map(({ id, state }) => `${id} ${state}`)

const on = (type: Line["type"], stageId: string, data: object = {}): Line => ({ type, stageId, data })
const wait = { party: "partner", instruction: "Push the session", deadline: "2026-01-01T00:01:00.000Z" }
const option = { decision: "abandon", label: "Abandon", description: "x", recommended: true, repeats: [] }

describe("the progress of a run", () => {
  it("follows its stages, one at a time", () => {
    const progress = heardOf(on("stage.started", "a"), on("stage.completed", "a"), on("stage.started", "b"))
    assert.deepStrictEqual(statesOf(progress), ["a completed", "b active"])
    assert.strictEqual(stageUnderWay(progress), "b")
    assert.isNull(stageUnderWay(heardOf()))
  })
  it("shows a stage that waits, and one that goes on", () => {
    const waiting = [on("stage.started", "a"), on("wait.started", "a", wait)]
    assert.deepStrictEqual(statesOf(heardOf(...waiting)), ["a waiting", "b pending"])
    for (const type of ["wait.satisfied", "wait.expired", "checkpoint.answered"] as const)
      assert.deepStrictEqual(statesOf(heardOf(...waiting, on(type, "a"))), ["a active", "b pending"])
  })
  it("says for whom it waits, with what almost fitted, and through an interruption", () => {
    const waits = [
      on("wait.started", "a", { ...wait, nearMisses: ["no id"] }),
      { type: "inbound.received", data: { nearMiss: "no kwh" } },
      { type: "inbound.received" },
      { type: "run.interrupted" }
    ] as const
    assert.deepStrictEqual(heardOf(...waits).waitingFor, {
      ...wait,
      party: "partner",
      nearMisses: ["no id", "no kwh"]
    })
    assert.isNull(heardOf(...waits, on("stage.started", "a")).waitingFor)
    assert.isNull(heardOf(...waits, { type: "run.failed" }).waitingFor)
  })
  it("shows the wait that may last longest of those that go on side by side", () => {
    const begin = (step: string, deadline: string) => on("wait.started", "a", { ...wait, deadline, step })
    const end = (step: string) => on("wait.expired", "a", { step })
    const [early, late] = ["2026-01-01T00:01:00.000Z", "2026-01-01T00:02:00.000Z"]
    const both = [on("stage.started", "a"), begin("p#1", late), begin("p#2", early)]
    assert.strictEqual(heardOf(...both).waitingFor?.deadline, late)
    const one = heardOf(...both, end("p#1"))
    assert.strictEqual(one.waitingFor?.deadline, early)
    assert.deepStrictEqual(statesOf(one), ["a waiting", "b pending"])
    const none = heardOf(...both, end("p#1"), end("p#2"))
    assert.deepStrictEqual(none, heardOf(on("stage.started", "a")))
    assert.notProperty(heardOf(...both, { type: "run.cancelled" }), "waits")
  })
  it("says what an operator may answer", () => {
    const { deadline, instruction } = wait
    const asked = heardOf(on("checkpoint.requested", "a", { instruction, deadline, answers: ["yes", "no"] }))
    assert.deepInclude(asked.waitingFor, { party: "operator", answers: ["yes", "no"], nearMisses: [] })
  })
  it("keeps an offer until something is decided", () => {
    const offer = { type: "recovery.offered", data: { version: 1, options: [option] } } as const
    assert.lengthOf(heardOf({ type: "run.interrupted" }, offer).recoveryOptions, 1)
    const ends = [
      "recovery.applied",
      "run.interrupted",
      "cancel.requested",
      "run.resumed",
      "run.failed"
    ] as const
    for (const type of ends) assert.isEmpty(heardOf(offer, { type }).recoveryOptions, type)
  })
  it("names the run that goes on instead, until it is known that there is none", () => {
    const applied = { type: "recovery.applied", data: { successorRunId: "run_next" } } as const
    assert.strictEqual(heardOf(applied).successorRunId, "run_next")
    assert.strictEqual(heardOf(applied, { type: "run.cancelled" }).successorRunId, "run_next")
    assert.isNull(heardOf(applied, { type: "run.cancelled", data: { successorRunId: null } }).successorRunId)
  })
  it("has nothing under way at the end", () => {
    const ended = heardOf(on("stage.completed", "a"), on("wait.started", "b", wait), {
      type: "run.cancelled"
    })
    assert.deepStrictEqual(statesOf(ended), ["a completed", "b skipped"])
  })
})
