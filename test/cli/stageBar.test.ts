import { assert, describe, it } from "vitest"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { afterEvent, barLegend, describeEvent, type Stages, stageBar } from "../../src/cli/follow/stageBar.ts"

/** As much of an event as is looked at. */
const event = (
  type: LedgerEvent["type"],
  stageId?: string,
  more: Pick<LedgerEvent, "assertions"> = { assertions: [] }
) =>
  ({
    sequence: 1,
    type,
    occurredAt: "2026-01-01T00:00:00.000Z",
    ...(stageId === undefined ? {} : { stageId }),
    ...more
  }) as LedgerEvent

const none: Stages = new Map([
  ["read", "pending"],
  ["start", "pending"],
  ["cdr", "pending"]
])

describe("the stage bar", () => {
  it("shows every stage before the first begins", () => {
    assert.strictEqual(stageBar(none), "[···]")
  })

  it("names the stage that goes on", () => {
    const stages = afterEvent(
      afterEvent(none, event("stage.started", "read")),
      event("stage.completed", "read")
    )
    assert.strictEqual(stageBar(afterEvent(stages, event("wait.started", "start"))), "[#~·] start")
  })

  it("is not changed by events of the run as a whole", () => {
    assert.strictEqual(afterEvent(none, event("run.started")), none)
  })

  it("marks a failed and a skipped stage", () => {
    const stages = afterEvent(
      afterEvent(none, event("stage.failed", "read")),
      event("stage.skipped", "start")
    )
    assert.strictEqual(stageBar(stages), "[x-·]")
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
