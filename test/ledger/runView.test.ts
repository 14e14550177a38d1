import { assert, describe, it } from "@effect/vitest"
import { recordedIn } from "../../machines/runCounts.ts"
import type { Assertion } from "../../schema/Assertion.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import type { EventDraft, RunFacts, RunRow } from "../../src/ledger/Ledger.ts"
import { foldEvent, foldRun, foldStart } from "../../src/ledger/run/foldRun.ts"
import { isTerminalLine, textOf } from "../../src/ledger/run/ledgerLine.ts"
import { tableOf } from "../../src/ledger/run/machineTable.ts"
import type { RunKindOf } from "../../src/ledger/run/RunKind.ts"
import { reportOf, statusOf, workerHealthy } from "../../src/ledger/run/runReport.ts"
import { standingAssertions } from "../../src/ledger/run/runView.ts"
import {
  abandon,
  created,
  type DraftMore,
  draft,
  interrupted,
  newFacts,
  sample,
  started,
  writerOf
} from "../support/runs/sampleRun.ts"

const assertion = (outcome: Assertion["outcome"], strength: Assertion["strength"] = "must"): Assertion => ({
  id: "x",
  title: "x",
  outcome,
  strength,
  reference: "x"
})

const recorded = (stageId: string, ...assertions: ReadonlyArray<Assertion>): EventDraft =>
  draft("assertions.recorded", {
    key: `${stageId} ${assertions.map(({ outcome }) => outcome)}`,
    stageId,
    assertions
  })

const on = (type: EventDraft["type"], stageId: string, more: DraftMore = {}) =>
  draft(type, { key: `${type} ${stageId} ${JSON.stringify(more)}`, stageId, ...more })

const awaited = { party: "partner", instruction: "Push the session", deadline: "2026-01-01T00:01:00.000Z" }
const waitStarted = on("wait.started", "a", { data: awaited })

const rowAfter = (drafts: ReadonlyArray<EventDraft>, change: Partial<RunFacts> = {}): RunRow => {
  const facts = newFacts(change)
  const { headHash, snapshot } = writerOf(facts).next(1, [created, ...drafts])
  return { facts, snapshot, headHash, leaseEpoch: 1, leaseAlive: true, released: false, archived: false }
}
const viewAfter = (...drafts: ReadonlyArray<EventDraft>) => rowAfter(drafts).snapshot.view

const verdictOf = (...assertions: ReadonlyArray<Assertion>) =>
  viewAfter(started, recorded("a", ...assertions), draft("run.completed")).verdict

describe("the verdict", () => {
  it("is null until the run is over", () => {
    assert.isNull(viewAfter(started, recorded("a", assertion("failed"))).verdict)
  })
  it("is fail when anything failed, whatever else there is", () => {
    assert.strictEqual(verdictOf(assertion("passed"), assertion("failed"), assertion("unobservable")), "fail")
  })
  it("is inconclusive when nothing was graded", () => {
    assert.strictEqual(verdictOf(assertion("not_tested"), assertion("not_applicable")), "inconclusive")
  })
  it("is inconclusive when a requirement could not be observed, or we failed to judge it", () => {
    assert.strictEqual(verdictOf(assertion("passed"), assertion("unobservable")), "inconclusive")
    assert.strictEqual(verdictOf(assertion("passed"), assertion("error")), "inconclusive")
  })
  it("does not mind a recommendation that could not be observed", () => {
    assert.strictEqual(verdictOf(assertion("passed"), assertion("unobservable", "should")), "pass")
  })
  it("is warn when something was warned of and nothing failed", () => {
    assert.strictEqual(verdictOf(assertion("passed"), assertion("warned", "should")), "warn")
  })
  it("is pass when all that was graded passed", () => {
    assert.strictEqual(verdictOf(assertion("passed")), "pass")
  })
  it("is inconclusive when the run was cut short", () => {
    const passed = recorded("a", assertion("passed"))
    const cut = draft("run.completed", { data: { cutShort: true } })
    assert.strictEqual(viewAfter(started, passed, cut).verdict, "inconclusive")
    assert.strictEqual(viewAfter(started, passed, draft("run.cancelled")).verdict, "inconclusive")
    assert.strictEqual(viewAfter(started, passed, draft("run.failed")).verdict, "inconclusive")
  })
})

describe("the counts of a run", () => {
  it("are replaced when a stage is run again", () => {
    const view = viewAfter(
      started,
      on("stage.started", "a"),
      recorded("a", assertion("failed"), assertion("passed")),
      on("stage.started", "a", { data: { attempt: 2 } }),
      recorded("a", assertion("passed"))
    )
    assert.deepInclude(view.summary, { total: 1, passed: 1, failed: 0 })
  })
  it("are replaced when a stage is skipped with assertions of its own, and kept when without", () => {
    const first = [started, recorded("a", assertion("failed")), recorded("b", assertion("not_tested"))]
    const view = viewAfter(
      ...first,
      on("stage.skipped", "a", { assertions: [assertion("not_tested")] }),
      on("stage.skipped", "b")
    )
    assert.deepInclude(view.summary, { total: 0, failed: 0, notTested: 2 })
  })
  it("are those of the assertions that stand", () => {
    const drafts = [
      started,
      recorded("a", assertion("failed")),
      on("stage.started", "a"),
      draft("assertions.recorded", { assertions: [{ ...assertion("warned"), module: "locations" }] })
    ]
    const events = writerOf(newFacts())
      .next(1, drafts)
      .lines.map(({ event }) => event)
    assert.deepStrictEqual(
      standingAssertions(events).map(({ group, assertion: { outcome } }) => [group, outcome]),
      [["locations", "warned"]]
    )
    assert.deepInclude(viewAfter(...drafts).summary, { total: 1, warned: 1 })
  })
})

describe("the view of a run", () => {
  it("follows its stages", () => {
    const view = viewAfter(
      started,
      on("stage.started", "a"),
      on("stage.completed", "a"),
      on("stage.started", "b")
    )
    assert.deepStrictEqual(view.stages, [
      { id: "a", state: "completed" },
      { id: "b", state: "active" }
    ])
    assert.strictEqual(view.stageId, "b")
    assert.deepStrictEqual(view.progress, { done: 1, of: 2 })
  })
  it("leaves no stage under way when the run is over", () => {
    const view = viewAfter(started, on("stage.started", "a"), draft("run.cancelled"))
    assert.deepStrictEqual(
      view.stages.map(({ state }) => state),
      ["skipped", "pending"]
    )
    assert.isNull(view.stageId)
  })
  it("counts assertions as progress where the run says how many there are", () => {
    const kind: RunKindOf = { ...sample, stepsDone: (_, counts) => recordedIn(counts) }
    const first = draft("run.created", { data: { stages: ["a"], of: 7 } })
    const { snapshot } = writerOf(newFacts(), kind).next(1, [
      first,
      recorded("a", assertion("passed"), assertion("not_tested"))
    ])
    assert.deepStrictEqual(snapshot.view.progress, { done: 2, of: 7 })
  })
  it("says whom it waits for, with what almost fitted", () => {
    const wait = [started, waitStarted, draft("inbound.received", { data: { nearMiss: "no kwh" } })]
    assert.deepStrictEqual(statusOf(rowAfter(wait)).waitingFor, {
      ...awaited,
      party: "partner",
      nearMisses: ["no kwh"]
    })
    assert.isNull(statusOf(rowAfter([...wait, on("wait.satisfied", "a")])).waitingFor)
    assert.isNull(statusOf(rowAfter([...wait, interrupted])).waitingFor)
  })
  it("says since when the machine is in its state, which further events do not change", () => {
    const facts = newFacts()
    const states = [
      "run.created",
      "run.started",
      "stage.started",
      "wait.started",
      "inbound.received"
    ] as const
    let { folded } = foldStart(sample, facts)
    const since = states.map((type, index) => {
      const line = { type, stageId: "a", assertions: [], data: { ...awaited, stages: ["a"] } }
      const event = { ...line, sequence: index + 1, occurredAt: `2026-01-01T00:0${index + 1}:00.000Z` }
      folded = foldEvent(sample, folded, event as unknown as LedgerEvent).folded
      return folded.view.stateSince?.slice(14, 16)
    })
    assert.deepStrictEqual(since, ["00", "02", "02", "04", "04"])
  })
  it("says so in the report too, and since its last event of a run that an earlier release wrote", () => {
    const row = rowAfter([started])
    const { stateSince, ...earlier } = row.snapshot.view
    assert.isString(stateSince)
    assert.deepStrictEqual([reportOf(row).stateSince, statusOf(row).stateSince], [stateSince, stateSince])
    const before = { ...row, snapshot: { ...row.snapshot, view: earlier } }
    assert.strictEqual(reportOf(before).stateSince, earlier.updatedAt)
  })
  it("offers what the machine takes, and nothing once a decision was made", () => {
    const halted = [started, interrupted, draft("recovery.offered")]
    assert.deepInclude(viewAfter(...halted), { recoveryVersion: 1, recoveryOptions: [abandon] })
    const applied = draft("recovery.applied", {
      data: { decision: "abandon", version: 1, successorRunId: "run_next" }
    })
    assert.deepInclude(viewAfter(...halted, applied), {
      recoveryOptions: [],
      successorRunId: "run_next" as never
    })
    const again = [applied, { ...interrupted, key: "2" }, draft("recovery.offered", { key: "2." })]
    assert.strictEqual(viewAfter(...halted, ...again).recoveryVersion, 2)
  })
  it("is the same when the lines are read back and folded again", () => {
    const facts = newFacts()
    const drafts = [created, started, recorded("a", assertion("warned")), draft("run.completed")]
    const { lines, snapshot } = writerOf(facts).next(1, drafts)
    const again = foldRun(
      sample,
      facts,
      lines.map(({ line }) => JSON.parse(line))
    )
    assert.deepStrictEqual(again.snapshot, snapshot)
  })
})

describe("the worker's health", () => {
  const lapsed = { leaseAlive: false }
  it("is given while the lease is in its term, and lost with it", () => {
    assert.isTrue(workerHealthy(rowAfter([started])))
    assert.isFalse(workerHealthy({ ...rowAfter([started]), ...lapsed }))
  })
  it("needs no lease where nobody has to work", () => {
    assert.isTrue(workerHealthy({ ...rowAfter([]), ...lapsed }))
    assert.isTrue(workerHealthy({ ...rowAfter([started, draft("run.completed")]), ...lapsed }))
    const waiting = rowAfter([started, waitStarted])
    assert.isTrue(workerHealthy({ ...waiting, ...lapsed, released: true }))
    assert.isFalse(workerHealthy({ ...waiting, ...lapsed }))
  })
  it("is gone when the machine says so, whoever holds the lease", () => {
    assert.isFalse(workerHealthy(rowAfter([started, interrupted])))
  })
})

describe("the report", () => {
  it("names the suite or the template by the kind of run", () => {
    assert.strictEqual(reportOf(rowAfter([])).templateId, "remote-start")
    const conformance = reportOf(rowAfter([], { kind: "conformance", plan: { profile: "strict" } }))
    assert.deepInclude(conformance, { suiteId: "remote-start", profile: "strict" })
    assert.notProperty(conformance, "templateId")
  })
  it("says what a suite was ordered with, so that it can be ordered again; of an older run what its plan tells", () => {
    const rest = { profile: "strict", needs: ["risk"], listenSeconds: 60 } as const
    const selection = { modules: ["tokens"], only: "failed-of:rep_1" }
    const orderOf = (plan: Readonly<Record<string, unknown>>) =>
      reportOf(rowAfter([], { kind: "conformance", plan })).order
    assert.deepStrictEqual(orderOf({ ...rest, selection, checks: ["TOK-001"] }), { ...selection, ...rest })
    assert.deepStrictEqual(orderOf({ ...rest, checks: ["TOK-001"] }), rest)
    assert.notProperty(reportOf(rowAfter([], { kind: "conformance", plan: { needs: ["luck"] } })), "order")
  })
  it("has the last sequence as its revision", () => {
    assert.strictEqual(reportOf(rowAfter([started])).revision, 2)
  })
})

describe("a kind of run", () => {
  it("has a status for each state of its machine, or does not compile", () => {
    const { failed: _, ...without } = sample.statuses
    // @ts-expect-error: the machine has a state `failed`.
    const forgotten: typeof sample = { ...sample, statuses: without }
    const { facts, snapshot } = rowAfter([])
    const failure = { sequence: 2, type: "run.failed", occurredAt: facts.createdAt, assertions: [] } as const
    const { folded } = foldRun(forgotten, facts, [])
    const running = {
      ...folded,
      machine: tableOf(forgotten.machine).at("running", folded.machine.context),
      view: snapshot.view
    }
    assert.throws(() => foldEvent(forgotten, running, failure), "no status is declared for the state failed")
  })
})

describe("a terminal line", () => {
  it("is known by its first bytes only", () => {
    const event = { sequence: 12, occurredAt: "", assertions: [] }
    const disguised = { ...event, type: "run.started", data: { type: "run.failed" } } as LedgerEvent
    assert.isTrue(isTerminalLine(textOf({ ...event, type: "run.failed" })))
    assert.isFalse(isTerminalLine(textOf(disguised)))
  })
})
