import { assert, describe, it } from "vitest"
import { createActor, initialTransition, transition } from "xstate"
import { suiteRun } from "../../machines/suiteRun.ts"
import type { LedgerEventType } from "../../schema/LedgerEvent.ts"
import { heard, type Line } from "../support/runs/heard.ts"

type State = "queued" | "running" | "interrupted" | "cancelling" | "completed" | "cancelled" | "failed"

const given = (stages: ReadonlyArray<string>, ...events: ReadonlyArray<Line>) => {
  let [state, actions] = initialTransition(suiteRun, { stages })
  for (const event of events) [state, actions] = transition(suiteRun, state, heard(event))
  const asked = actions.map(({ params, type }) => [
    type,
    (params as { stageId?: string } | undefined)?.stageId
  ])
  return { state, asked }
}

const topOf = (value: unknown) =>
  (typeof value === "string" ? value : Object.keys(value as object)[0]) as State

/** Shortest way into each state, with module `versions` under way or next. */
const ways: Record<State, ReadonlyArray<Line>> = {
  queued: [],
  running: [{ type: "run.started" }],
  interrupted: [{ type: "run.started" }, { type: "run.interrupted" }],
  cancelling: [{ type: "run.started" }, { type: "cancel.requested" }],
  completed: [{ type: "run.started" }, { type: "run.completed" }],
  cancelled: [{ type: "run.started" }, { type: "cancel.requested" }, { type: "run.cancelled" }],
  failed: [{ type: "run.failed" }]
}

const stays: Record<State, State> = {
  queued: "queued",
  running: "running",
  interrupted: "interrupted",
  cancelling: "cancelling",
  completed: "completed",
  cancelled: "cancelled",
  failed: "failed"
}

/** A new event type, or a new state, does not compile until it has its place here. */
const table: Record<LedgerEventType, Record<State, State>> = {
  "run.created": stays,
  "run.started": { ...stays, queued: "running" },
  "stage.started": stays,
  "exchange.intended": stays,
  "exchange.completed": stays,
  "inbound.received": stays,
  "assertions.recorded": stays,
  "wait.started": stays,
  "wait.satisfied": stays,
  "wait.expired": stays,
  "checkpoint.requested": stays,
  "checkpoint.answered": stays,
  "stage.completed": stays,
  "stage.failed": stays,
  "stage.skipped": stays,
  "run.interrupted": { ...stays, running: "interrupted" },
  "recovery.offered": stays,
  "recovery.applied": stays,
  "run.resumed": { ...stays, interrupted: "running" },
  "cancel.requested": { ...stays, queued: "cancelling", running: "cancelling", interrupted: "cancelling" },
  "run.cancelled": { ...stays, cancelling: "cancelled" },
  "run.completed": { ...stays, running: "completed", cancelling: "completed" },
  "run.failed": { ...stays, queued: "failed", running: "failed", interrupted: "failed", cancelling: "failed" }
}

describe("suiteRun", () => {
  for (const [type, row] of Object.entries(table)) {
    it(`takes ${type} where the table says`, () => {
      const event = { type: type as LedgerEventType, stageId: "versions" }
      const found = Object.fromEntries(
        Object.entries(ways).map(([from, way]) => [
          from,
          topOf(given(["versions", "paging"], ...way, event).state.value)
        ])
      )
      assert.deepStrictEqual(found, row)
    })
  }

  it("asks for the modules in order, then to conclude", () => {
    const start: Line = { type: "run.started" }
    const first: Line = { type: "stage.completed", stageId: "versions" }
    const second: Line = { type: "stage.completed", stageId: "paging" }
    assert.deepStrictEqual(given(["versions", "paging"], start).asked, [["runModule", "versions"]])
    assert.deepStrictEqual(given(["versions", "paging"], start, first).asked, [["runModule", "paging"]])
    assert.deepStrictEqual(given(["versions", "paging"], start, first, second).asked, [
      ["conclude", undefined]
    ])
  })

  it("never asks again for a module that is done", () => {
    const { asked } = given(
      ["versions", "paging"],
      { type: "run.started" },
      { type: "stage.completed", stageId: "versions" },
      { type: "run.interrupted" },
      { type: "run.resumed" }
    )
    assert.deepStrictEqual(asked, [["runModule", "paging"]])
  })

  it("asks again for the module under way when it is taken up after a shutdown", () => {
    const { asked } = given(["versions"], { type: "run.started" }, { type: "run.resumed" })
    assert.deepStrictEqual(asked, [["runModule", "versions"]])
  })

  it("asks to begin when it was created, or is taken up before it began", () => {
    const asked = [given(["versions"], { type: "run.created" }), given(["versions"], { type: "run.resumed" })]
    assert.deepStrictEqual(
      asked.map((one) => one.asked),
      [[["begin", undefined]], [["begin", undefined]]]
    )
  })

  it("asks to stop again when it is taken up while it stops", () => {
    const { asked } = given(["versions"], { type: "cancel.requested" }, { type: "run.resumed" })
    assert.deepStrictEqual(asked, [["stop", undefined]])
  })

  it("concludes at once without modules", () => {
    assert.deepStrictEqual(given([], { type: "run.started" }).asked, [["conclude", undefined]])
  })

  it("asks to stop when it is to be cancelled, and for no further module", () => {
    const stop = [{ type: "run.started" }, { type: "cancel.requested" }] as const
    assert.deepStrictEqual(given(["versions", "paging"], ...stop).asked, [["stop", undefined]])
    const after = given(["versions", "paging"], ...stop, { type: "stage.completed", stageId: "versions" })
    assert.deepStrictEqual(after.asked, [])
  })

  it("is unhealthy only when interrupted", () => {
    const unhealthy = Object.entries(ways).filter(
      ([, way]) => !given(["versions"], ...way).state.hasTag("healthy")
    )
    assert.deepStrictEqual(
      unhealthy.map(([state]) => state),
      ["interrupted"]
    )
  })

  it("comes back the same from its stored snapshot", () => {
    const { state } = given(
      ["versions", "paging"],
      { type: "run.started" },
      { type: "stage.completed", stageId: "versions" }
    )
    const stored = JSON.parse(JSON.stringify(suiteRun.getPersistedSnapshot(state)))
    const back = createActor(suiteRun, { snapshot: stored, input: { stages: [] } }).getSnapshot()
    const [next, actions] = transition(suiteRun, back, heard({ type: "stage.completed", stageId: "paging" }))
    assert.deepStrictEqual(back.value, state.value)
    assert.deepStrictEqual(next.context.done, ["versions", "paging"])
    assert.deepStrictEqual(
      actions.map(({ type }) => type),
      ["conclude"]
    )
  })
})
