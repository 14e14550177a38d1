/** The pure parts of the console: folds, groups, places and words. */
import { assert, describe, it } from "vitest"
import { summaryOf } from "../../../machines/runCounts.ts"
import type { Assertion, LedgerEvent } from "../../../src/client/plugfest.ts"
import { longestText, splitAtPointer } from "../../../src/console/exchanges/jsonPlace.ts"
import { edgesTaken } from "../../../src/console/format/edgesTaken.ts"
import { statePath } from "../../../src/console/format/statePath.ts"
import { dayOrTime, duration, estimate, relativeTime, sinceOrDay } from "../../../src/console/format/time.ts"
import { foldRun, type Kept, keepNewest, nothing, waitAt } from "../../../src/console/ledger/foldRun.ts"
import { filterEvents } from "../../../src/console/ledger/ledgerFilter.ts"
import {
  countModules,
  filterChecks,
  mendBeside,
  outcomeOf,
  placeCount,
  step,
  stepFailure,
  toggleOutcome
} from "../../../src/console/reports/groupChecks.ts"

const check = (id: string, outcome: Assertion["outcome"], more: Partial<Assertion> = {}): Assertion => ({
  id,
  outcome,
  title: `title of ${id}`,
  strength: "must",
  reference: "mod_locations",
  module: "locations",
  ...more
})

describe("the place of a pointer in a JSON text", () => {
  it("is the value that it names, in the text that JSON.stringify would lay out", () => {
    const value = { data: [{ id: "a", "x/y~z": 1.5 }, [], {}, null], "": { empty: [] } }
    for (const [pointer, at] of [
      ["/data/0/id", '"a"'],
      ["/data/0/x~1y~0z", "1.5"],
      ["/data/3", "null"],
      ["//empty", "[]"],
      // A member that is missing: its nearest ancestor.
      ["/data/1/7", "[]"]
    ] as const) {
      const placed = splitAtPointer(JSON.stringify(value), pointer)
      assert.strictEqual(placed.at, at, pointer)
      assert.strictEqual(placed.before + placed.at + placed.after, JSON.stringify(value, null, 2), pointer)
    }
  })

  it("is nowhere in what is no JSON, and the text is cut around it when it is long", () => {
    assert.deepStrictEqual(splitAtPointer("<html>", "/a"), { before: "", at: "", after: "<html>" })
    const long = splitAtPointer(JSON.stringify([..."x".repeat(90_000), "end"]), "/90000")
    assert.strictEqual(long.at, '"end"')
    assert.isBelow(long.before.length + long.after.length, longestText + 10)
  })
})

describe("the checks of a report", () => {
  const checks = [
    check("LOC-001", "passed"),
    check("LOC-002", "failed", {
      message: "no id",
      findings: [{ message: "no id", strength: "must", count: 41, places: [] }]
    }),
    check("PAGE-001", "failed", { message: "no id", module: "paging" }),
    check("LOC-003", "warned", { message: "late" }),
    check("LOC-004", "not_tested")
  ]
  const idsOf = (list: ReadonlyArray<Assertion>) => list.map(({ id }) => id)

  it("are filtered by outcome, module and words", () => {
    assert.deepStrictEqual(idsOf(filterChecks(checks, { outcome: "failed.warned" })), [
      "LOC-002",
      "PAGE-001",
      "LOC-003"
    ])
    assert.deepStrictEqual(idsOf(filterChecks(checks, { module: "paging" })), ["PAGE-001"])
    assert.deepStrictEqual(idsOf(filterChecks(checks, { text: "ID  loc-" })), ["LOC-002"])
    assert.strictEqual(toggleOutcome("failed.warned", "failed"), "warned")
    assert.isUndefined(toggleOutcome("failed", "failed"))
  })

  it("have the findings that are in no cause beside the causes, failures first", () => {
    const cause = {
      what: "no id",
      attribution: "partner",
      found: ["LOC-002", "PAGE-001"],
      blocked: ["LOC-004"]
    } as const
    assert.deepStrictEqual(idsOf(mendBeside([], checks)), ["LOC-002", "PAGE-001", "LOC-003"])
    assert.deepStrictEqual(idsOf(mendBeside([cause], checks)), ["LOC-003"])
    assert.deepStrictEqual(checks.map(placeCount), [1, 41, 1, 1, 1])
    assert.strictEqual(outcomeOf(cause, checks), "failed")
    assert.strictEqual(outcomeOf({ ...cause, found: [] }, checks), "not_tested")
  })

  it("are counted by module", () => {
    assert.deepStrictEqual(
      countModules(checks).map(({ module, of }) => [module, of]),
      [
        ["locations", 4],
        ["paging", 1]
      ]
    )
  })

  it("are stepped through, and failures go around", () => {
    assert.strictEqual(step(idsOf(checks), undefined, 1), "LOC-001")
    assert.strictEqual(step(idsOf(checks), "LOC-004", 1), "LOC-004")
    assert.strictEqual(stepFailure(checks, undefined, 1), "LOC-002")
    assert.strictEqual(stepFailure(checks, undefined, -1), "PAGE-001")
    assert.strictEqual(stepFailure(checks, "PAGE-001", 1), "LOC-002")
    assert.strictEqual(stepFailure(checks, "LOC-002", -1), "PAGE-001")
    assert.isUndefined(stepFailure([check("A", "passed")], undefined, 1))
  })
})

describe("a run at a point of its ledger", () => {
  const line = { occurredAt: "2026-01-01T00:00:00.000Z", assertions: [] }
  const events = [
    { ...line, sequence: 1, type: "run.created", data: { stages: ["a", "b"] } },
    { ...line, sequence: 2, type: "run.started", machine: "running" },
    { ...line, sequence: 3, type: "stage.started", stageId: "a", machine: "running" },
    {
      ...line,
      sequence: 4,
      type: "wait.started",
      stageId: "a",
      machine: { waiting: "partner" },
      data: { party: "partner", instruction: "Send it.", deadline: "2026-01-01T00:01:00.000Z" }
    },
    { ...line, sequence: 5, type: "wait.satisfied", stageId: "a", machine: "running" },
    {
      ...line,
      sequence: 6,
      type: "assertions.recorded",
      stageId: "a",
      machine: "running",
      assertions: [check("a.1", "passed"), check("a.2", "failed")]
    },
    { ...line, sequence: 7, type: "stage.completed", stageId: "a", machine: "running" }
  ] as unknown as ReadonlyArray<LedgerEvent>

  it("has the state, the stages and the wait of then", () => {
    const at = foldRun(events, 4)
    assert.strictEqual(at.state, "waiting.partner")
    assert.deepInclude(waitAt(at), { instruction: "Send it.", since: line.occurredAt, answers: [] })
    assert.deepStrictEqual(at.progress.stages, [
      { id: "a", state: "waiting" },
      { id: "b", state: "pending" }
    ])
    const end = foldRun(events)
    assert.isUndefined(waitAt(end))
    assert.deepInclude(summaryOf(end.counts), { passed: 1, failed: 1, warned: 0 })
    assert.deepStrictEqual(end.moves, {
      "queued>running run.started": 1,
      "running>waiting.partner wait.started": 1,
      "waiting.partner>running wait.satisfied": 1
    })
    // It is the same, wherever the fold goes on from.
    for (const { sequence } of events)
      assert.deepStrictEqual(foldRun(events, Number.POSITIVE_INFINITY, foldRun(events, sequence)), end)
    assert.strictEqual(foldRun(events, 0).state, "queued")
  })

  it("has taken the edge of a state, or of its parent where the event leaves that", () => {
    const transition = (from: string, to: string, event: string) => ({ id: "", from, to, event, guard: null })
    const transitions = [
      transition("running", "waiting.partner", "wait.started"),
      transition("waiting", "running", "wait.expired"),
      transition("waiting", "interrupted", "run.interrupted"),
      transition("waiting.partner", "running", "wait.satisfied")
    ]
    const moves = {
      "running>waiting.partner wait.started": 3,
      "waiting.partner>running wait.satisfied": 1,
      "waiting.partner>running wait.expired": 1,
      "waiting.partner>interrupted run.interrupted": 1,
      "waiting.clock>running wait.expired": 2,
      "old>older gone": 1
    }
    assert.deepStrictEqual(edgesTaken({ transitions }, moves), {
      "running>waiting.partner": 3,
      "waiting.partner>running": 1,
      "waiting>running": 3,
      "waiting>interrupted": 1,
      "old>older": 1
    })
  })

  it("is the same when only its newest events are kept", () => {
    let kept: Kept = { events: [], before: nothing }
    for (const [index, event] of events.entries()) {
      kept = keepNewest(kept, [event], 2)
      assert.isAtMost(kept.events.length, 2)
      assert.strictEqual(kept.events.at(-1), event)
      assert.deepStrictEqual(
        foldRun(kept.events, Number.POSITIVE_INFINITY, kept.before),
        foldRun(events, index + 1)
      )
    }
    assert.deepStrictEqual(kept.before, foldRun(events, 5))
  })

  it("is not changed by an event of a type that a later release may have", () => {
    const later = { ...line, sequence: 8, type: "run.paused", machine: "running" } as unknown as LedgerEvent
    const { progress } = foldRun(events)
    assert.deepStrictEqual(foldRun([...events, later]).progress, progress)
  })

  it("is filtered by kind, stage and state", () => {
    const numbers = (filter: Parameters<typeof filterEvents>[1]) =>
      filterEvents(events, filter).map(({ sequence }) => sequence)
    assert.deepStrictEqual(numbers({ kind: "wait" }), [4, 5])
    assert.deepStrictEqual(numbers({ state: "waiting.partner" }), [4])
    assert.deepStrictEqual(numbers({ stage: "a", kind: "stage" }), [3, 7])
    assert.strictEqual(statePath({ a: { b: "c" } }), "a.b.c")
  })
})

describe("times", () => {
  it("are told as people do", () => {
    assert.strictEqual(relativeTime(0, 185_000), "3 minutes ago")
    assert.strictEqual(relativeTime(41_500, 0), "in 41 seconds")
    assert.strictEqual(relativeTime(0, 400), "now")
    const now = Date.parse("2026-11-28T12:00:00.000Z")
    assert.strictEqual(sinceOrDay("2026-11-25T12:00:00.000Z", now), "3 days ago")
    assert.strictEqual(sinceOrDay("2026-11-20T12:00:00.000Z", now), "2026-11-20")
    assert.strictEqual(dayOrTime("2027-02-26T12:00:00.000Z", now), "2027-02-26")
    assert.strictEqual(dayOrTime("2026-11-29T08:30:00.000Z", now), "2026-11-29 08:30:00 UTC")
    assert.deepStrictEqual([45, 120, 150, 7200].map(estimate), ["45 s", "2 min", "2 min 30 s", "2 h 0 min"])
    assert.deepStrictEqual([340, 2_400, 192_000, 7_500_000].map(duration), [
      "340 ms",
      "2.4 s",
      "3 min 12 s",
      "2 h 5 min"
    ])
  })
})
