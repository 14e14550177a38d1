import { assert, describe, it } from "vitest"
import { noProgress, progressAfter, type RunProgress } from "../../machines/runProgress.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { barLegend, describeEvent, stageBar } from "../../src/cli/follow/stageBar.ts"

/** As much of an event as is looked at. */
const event = (type: LedgerEvent["type"], stageId?: string, more: object = {}) =>
  ({
    sequence: 1,
    type,
    occurredAt: "2026-01-01T00:00:00.000Z",
    ...(stageId === undefined ? {} : { stageId }),
    assertions: [],
    ...more
  }) as unknown as LedgerEvent

const none: RunProgress = {
  ...noProgress,
  stages: ["read", "start", "cdr"].map((id) => ({ id, state: "pending" }))
}

describe("the stage bar", () => {
  it("shows every stage before the first begins", () => {
    assert.strictEqual(stageBar(none), "[···]")
  })

  const barAfter = (...events: ReadonlyArray<LedgerEvent>) => stageBar(events.reduce(progressAfter, none))

  it("names the stage that goes on, also once its wait expired", () => {
    const read = [event("stage.started", "read"), event("stage.completed", "read")]
    const wait = event("wait.started", "start", { data: { deadline: "2026-01-01T00:01:00.000Z" } })
    assert.strictEqual(barAfter(...read, wait), "[#~·] start")
    assert.strictEqual(barAfter(...read, wait, event("wait.expired", "start")), "[#>·] start")
  })

  it("is not changed by events of the run as a whole", () => {
    assert.strictEqual(barAfter(event("run.started")), "[···]")
  })

  it("marks a failed and a skipped stage, and the one that a run left unfinished", () => {
    const ended = [
      event("stage.failed", "read"),
      event("stage.skipped", "start"),
      event("stage.started", "cdr")
    ]
    assert.strictEqual(barAfter(...ended), "[x->] cdr")
    assert.strictEqual(barAfter(...ended, event("run.cancelled")), "[x--]")
  })
})

describe("an event in words", () => {
  it("names the assertion that failed, with its message", () => {
    const text = describeEvent(
      event("assertions.recorded", "start", {
        assertions: [
          { id: "start.http", title: "answers 200", outcome: "passed", strength: "must", reference: "S" },
          {
            id: "start.ok",
            title: "accepted",
            outcome: "failed",
            strength: "must",
            reference: "S",
            message: "REJECTED"
          }
        ]
      })
    )
    assert.strictEqual(text, "   1 passed\n   x start.ok: REJECTED")
  })

  it("names a stage that was left out, and how much of it was not judged", () => {
    const recorded = (...outcomes: ReadonlyArray<string>) =>
      describeEvent(
        event("assertions.recorded", "start", {
          assertions: outcomes.map((outcome) => ({ id: "a", outcome }))
        })
      )
    assert.strictEqual(recorded("unobservable", "not_tested"), "   start: 2 not judged")
    assert.strictEqual(recorded("passed", "unobservable"), "   1 passed, 1 not judged")
    assert.isUndefined(recorded("not_applicable"))
  })

  it("says nothing where there is nothing to see", () => {
    assert.isUndefined(describeEvent(event("stage.started", "read")))
  })

  it("has a legend with every symbol of the bar", () => {
    assert.strictEqual(
      barLegend,
      "[·>~#x-]: a stage that is · pending, > active, ~ waiting, # completed, x failed, - skipped"
    )
  })
})
