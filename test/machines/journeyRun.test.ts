import { readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  type AnyStateNode,
  type AnyTransitionDefinition,
  initialTransition,
  type SnapshotFrom,
  transition
} from "xstate"
import { getAdjacencyMap } from "xstate/graph"
import { journeyRun } from "../../machines/journeyRun.ts"
import { maxRecoveries, mayDecide, type StagePlan } from "../../machines/journeyRunContext.ts"
import { LedgerEventType, type UnnumberedEvent } from "../../schema/LedgerEvent.ts"
import { Decision } from "../../schema/Recovery.ts"
import { exchange, heard, type Line } from "../support/runs/heard.ts"

type Snapshot = SnapshotFrom<typeof journeyRun>
/** The machine's states by their paths. */
type State = Exclude<Snapshot["value"], object> | "waiting.partner" | "waiting.clock" | "waiting.operator"

const stateOf = ({ value }: Snapshot): State =>
  // Only `waiting` has states within.
  typeof value === "string" ? value : (`waiting.${value.waiting}` as State)
type EventType = LedgerEventType

const stage = (id: string, plan: Partial<StagePlan> = {}): StagePlan => ({
  id,
  name: id,
  act: "exchange",
  writes: false,
  idempotent: true,
  readBack: false,
  optionalForLater: true,
  sends: [`GET ${id}`],
  ...plan
})
const stages: ReadonlyArray<StagePlan> = [
  stage("read"),
  stage("start", { writes: true, idempotent: false, readBack: true, optionalForLater: false }),
  stage("wait", { act: "await", optionalForLater: false })
]

const run = (plan: ReadonlyArray<StagePlan>, events: ReadonlyArray<Line>) => {
  let [state, actions] = initialTransition(journeyRun, { stages: plan })
  for (const event of events) [state, actions] = transition(journeyRun, state, heard(event))
  const asks = actions.map(({ params, type }) => ({ type, params }))
  return { state, asks, can: (decision: Decision) => state.can(heard(apply(decision, state))) }
}
const apply = (decision: Decision, state: Snapshot): Line => ({
  type: "recovery.applied",
  data: { decision, version: state.context.recoveryVersion }
})
const started: Line = { type: "run.started" }
const done = (stageId: string): Line => ({ type: "stage.completed", stageId })
const intended = (stageId: string, id: string, method: string): Line => ({
  type: "exchange.intended",
  stageId,
  exchange: exchange(id, method)
})
const completed = (id: string): Line => ({
  type: "exchange.completed",
  exchange: exchange(id, "POST")
})
const graded: Line = {
  type: "assertions.recorded",
  stageId: "read",
  assertions: [{ id: "read.x", title: "x", outcome: "passed", strength: "must", reference: "x" }]
}
const interruption: ReadonlyArray<Line> = [
  { type: "run.interrupted", data: { reason: "lost" } },
  { type: "recovery.offered", data: { version: 1 } }
]
const offered = (...events: ReadonlyArray<Line>) => {
  const { can } = run(stages, [started, ...events, ...interruption])
  return Decision.literals.filter((decision) => can(decision))
}

/** A state in which the run is well into its second stage, brought about by lines that a real run writes. */
const ways: Record<State, ReadonlyArray<Line>> = {
  queued: [],
  running: [started, graded, done("read")],
  "waiting.partner": [started, graded, done("read"), { type: "wait.started", stageId: "start" }],
  "waiting.clock": [
    started,
    graded,
    done("read"),
    { type: "wait.started", stageId: "start", data: { party: "clock" } }
  ],
  "waiting.operator": [started, graded, done("read"), { type: "checkpoint.requested", stageId: "start" }],
  interrupted: [started, graded, done("read"), ...interruption],
  recovering: [
    started,
    graded,
    done("read"),
    ...interruption,
    { type: "recovery.applied", data: { decision: "resume", version: 1 } }
  ],
  cancelling: [started, graded, { type: "cancel.requested" }],
  completed: [started, done("read"), done("start"), done("wait"), { type: "run.completed" }],
  cancelled: [started, { type: "cancel.requested" }, { type: "run.cancelled" }],
  failed: [started, { type: "run.failed" }]
}

const eventOf: Record<EventType, Line> = {
  "run.created": { type: "run.created" },
  "run.started": started,
  "stage.started": { type: "stage.started", stageId: "start", data: { attempt: 1 } },
  "exchange.intended": intended("start", "e1", "POST"),
  "exchange.completed": completed("e1"),
  "inbound.received": { type: "inbound.received" },
  "assertions.recorded": graded,
  "wait.started": { type: "wait.started", stageId: "start" },
  "wait.satisfied": { type: "wait.satisfied", stageId: "start" },
  "wait.expired": { type: "wait.expired", stageId: "start" },
  "checkpoint.requested": { type: "checkpoint.requested", stageId: "start" },
  "checkpoint.answered": { type: "checkpoint.answered", stageId: "start" },
  "stage.completed": done("start"),
  "stage.failed": { type: "stage.failed", stageId: "start" },
  "stage.skipped": { type: "stage.skipped", stageId: "start" },
  "run.interrupted": { type: "run.interrupted", data: { reason: "lost" } },
  "recovery.offered": { type: "recovery.offered", data: { version: 2 } },
  "recovery.applied": { type: "recovery.applied", data: { decision: "resume", version: 1 } },
  "run.resumed": { type: "run.resumed" },
  "cancel.requested": { type: "cancel.requested" },
  "run.cancelled": { type: "run.cancelled" },
  "run.completed": { type: "run.completed" },
  "run.failed": { type: "run.failed" }
}

/** Where each event leads from each state; null: not taken. No Partial: a forgotten case does not compile. */
type Row = Record<EventType, State | null>
const never: Row = {
  "run.created": null,
  "run.started": null,
  "stage.started": null,
  "exchange.intended": null,
  "exchange.completed": null,
  "inbound.received": null,
  "assertions.recorded": null,
  "wait.started": null,
  "wait.satisfied": null,
  "wait.expired": null,
  "checkpoint.requested": null,
  "checkpoint.answered": null,
  "stage.completed": null,
  "stage.failed": null,
  "stage.skipped": null,
  "run.interrupted": null,
  "recovery.offered": null,
  "recovery.applied": null,
  "run.resumed": null,
  "cancel.requested": null,
  "run.cancelled": null,
  "run.completed": null,
  "run.failed": null
}
const evidenceIn = (state: State) => ({
  "exchange.intended": state,
  "exchange.completed": state,
  "inbound.received": state,
  "assertions.recorded": state
})
const waitsIn = (state: State): Row => ({
  ...never,
  "inbound.received": state,
  "wait.expired": "running",
  "run.resumed": "running",
  "run.interrupted": "interrupted",
  "cancel.requested": "cancelling",
  "run.failed": "failed"
})
const table: Record<State, Row> = {
  queued: {
    ...never,
    "run.created": "queued",
    "run.started": "running",
    "run.resumed": "queued",
    "run.interrupted": "interrupted",
    "cancel.requested": "cancelling",
    "run.failed": "failed"
  },
  running: {
    ...never,
    ...evidenceIn("running"),
    "stage.started": "running",
    "stage.completed": "running",
    "stage.failed": "running",
    "stage.skipped": "running",
    "wait.started": "waiting.partner",
    "checkpoint.requested": "waiting.operator",
    "run.resumed": "running",
    "run.interrupted": "interrupted",
    "cancel.requested": "cancelling",
    "run.failed": "failed"
  },
  "waiting.partner": { ...waitsIn("waiting.partner"), "wait.satisfied": "running" },
  "waiting.clock": { ...waitsIn("waiting.clock"), "wait.satisfied": "running" },
  "waiting.operator": { ...waitsIn("waiting.operator"), "checkpoint.answered": "running" },
  interrupted: {
    ...never,
    "inbound.received": "interrupted",
    "recovery.offered": "interrupted",
    "recovery.applied": "recovering",
    "cancel.requested": "cancelling",
    "run.failed": "failed"
  },
  recovering: {
    ...never,
    ...evidenceIn("recovering"),
    "run.resumed": "running",
    "run.interrupted": "interrupted",
    "cancel.requested": "cancelling",
    "run.failed": "failed"
  },
  cancelling: {
    ...never,
    ...evidenceIn("cancelling"),
    "run.resumed": "cancelling",
    "run.cancelled": "cancelled",
    "run.interrupted": "interrupted",
    "run.failed": "failed"
  },
  completed: never,
  cancelled: never,
  failed: never
}

describe("journeyRun, the table", () => {
  const states = Object.keys(table) as ReadonlyArray<State>
  it.each(states)("reaches %s", (state) => {
    assert.strictEqual(stateOf(run(stages, ways[state]).state), state)
  })
  it.each(states)("takes from %s what the table says, and nothing else", (state) => {
    const before = run(stages, ways[state]).state
    const found = Object.fromEntries(
      LedgerEventType.literals.map((type) => {
        const [after, asks] = transition(journeyRun, before, heard(eventOf[type]))
        return [type, after === before && asks.length === 0 ? null : stateOf(after)]
      })
    )
    assert.deepStrictEqual(found, table[state])
  })
})

/** States of SPEC.md in which an event is taken after some decisions only, or after the last stage: not in those of `ways`. */
const conditional: ReadonlyArray<string> = [
  "running run.completed",
  "recovering stage.skipped",
  "recovering run.completed",
  "recovering run.cancelled"
]

describe("journeyRun, machines/SPEC.md", () => {
  const text = readFileSync(join(import.meta.dirname, "../../machines/SPEC.md"), "utf8")
  const lines = text.split("## handshake")[0]!.split("\n")
  const cellsOf = (line: string) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim())
  const [, ...columns] = cellsOf(lines.find((line) => line.startsWith("| event |"))!)
  const rows = lines.flatMap((line) => {
    const [name = "", ...cells] = cellsOf(line)
    return LedgerEventType.literals
      .filter((type) => name.includes(`\`${type}\``))
      .map((type) => ({ type, cells }))
  })

  it("has one row for each event type", () => {
    const isOnce = (one: string) => rows.filter(({ type }) => type === one).length === 1
    assert.deepStrictEqual(
      LedgerEventType.literals.filter((type) => !isOnce(type)),
      [],
      "these want one row of the table in machines/SPEC.md, which says what states take them"
    )
  })

  it("says of each state which events it takes", () => {
    const said = rows.flatMap(({ cells, type }) =>
      columns.filter((_, index) => cells[index] !== "").map((state) => `${state} ${type}`)
    )
    const taken = Object.entries(table).flatMap(([state, row]) =>
      LedgerEventType.literals
        .filter((type) => row[type] !== null)
        .map((type) => `${state.split(".")[0]} ${type}`)
    )
    const known = [...new Set([...taken, ...conditional])]
    assert.deepStrictEqual(
      {
        inSpecOnly: said.filter((one) => !known.includes(one)),
        inTestOnly: known.filter((one) => !said.includes(one))
      },
      { inSpecOnly: [], inTestOnly: [] },
      "machines/SPEC.md and the table of this test differ"
    )
  })
})

describe("journeyRun, every way through it", () => {
  const declared = (node: AnyStateNode): ReadonlyArray<AnyTransitionDefinition> => [
    ...[...node.transitions.values()].flat(),
    ...Object.values(node.states).flatMap(declared)
  ]
  const nameOf = ({ eventType, guard, source, target }: AnyTransitionDefinition) =>
    [source.id, eventType, JSON.stringify(guard ?? null), target?.map(({ id }) => id) ?? "here"].join(" ")

  type Edges = Record<string, { readonly event: UnnumberedEvent }>

  it("takes each of its transitions on some path", () => {
    const [read, start] = [stages[0]!, stages[1]!]
    const always = [
      ...Object.values(eventOf).filter(({ type }) => type !== "recovery.applied"),
      eventOf["wait.started"],
      { type: "wait.started", stageId: "start", data: { party: "clock" } } as const,
      ...["stage.completed", "stage.failed", "stage.skipped"].map(
        (type) => ({ type, stageId: "read" }) as Line // three of the event types
      )
    ].map(heard)
    const eventsIn = (state: Snapshot): ReadonlyArray<UnnumberedEvent> => [
      ...always,
      ...Decision.literals.map((decision) => heard(apply(decision, state)))
    ]
    const seen = new Set<string>()
    for (const plan of [
      [read, start],
      [start, read]
    ]) {
      const map = getAdjacencyMap(journeyRun, {
        input: { stages: plan },
        events: eventsIn,
        serializeState: ({ context, value }) => {
          const { decision, graded, index, offered, open, recoveries, stopAsked } = context
          // What no rule tells apart counts as one state; else there were endlessly many.
          const told = [
            index,
            open.length > 0,
            offered,
            decision,
            Math.min(recoveries, maxRecoveries),
            stopAsked
          ]
          return JSON.stringify([value, ...told, Object.keys(graded).length])
        },
        limit: 100_000
      })
      for (const { state, transitions } of Object.values(map)) {
        for (const { event } of Object.values(transitions as Edges)) {
          for (const taken of journeyRun.getTransitionData(state, event)) seen.add(nameOf(taken))
        }
      }
    }
    const unseen = declared(journeyRun.root)
      .map(nameOf)
      .filter((name) => !seen.has(name))
    assert.deepStrictEqual(unseen, [])
    // Thousands of states, on a machine that may be busy.
  }, 60_000)
})

describe("journeyRun, what it asks for", () => {
  it("begins when it was created", () => {
    assert.deepStrictEqual(
      run(stages, [{ type: "run.created" }]).asks.map(({ type }) => type),
      ["begin"]
    )
  })
  it("asks for the stages in order, then to finish", () => {
    const asked = [[], [done("read")], [done("read"), done("start")], stages.map(({ id }) => done(id))].map(
      (events) => run(stages, [started, ...events]).asks.at(-1)
    )
    assert.deepStrictEqual(
      asked.map((ask) => (ask?.params as { stageId?: string } | undefined)?.stageId ?? ask?.type),
      ["read", "start", "wait", "finishRun"]
    )
  })
  it("asks for a new attempt on a retry, and for the same one on a resume", () => {
    const lost: ReadonlyArray<Line> = [
      started,
      { type: "stage.started", stageId: "read", data: { attempt: 1 } },
      ...interruption
    ]
    const askedAfter = (decision: Decision) =>
      run(stages, [
        ...lost,
        { type: "recovery.applied", data: { decision, version: 1 } },
        { type: "run.resumed" }
      ]).asks.at(-1)?.params
    assert.deepStrictEqual(askedAfter("retry_stage"), { stageId: "read", attempt: 2, mode: "fresh" })
    assert.deepStrictEqual(askedAfter("resume"), { stageId: "read", attempt: 1, mode: "resume" })
  })
  it("goes on to the next stage after a skip", () => {
    const { asks, state } = run(stages, [
      started,
      ...interruption,
      { type: "recovery.applied", data: { decision: "skip_stage", version: 1 } },
      { type: "stage.skipped", stageId: "read" }
    ])
    assert.strictEqual(state.value, "running")
    assert.deepStrictEqual(asks.at(-1)?.params, { stageId: "start", attempt: 1, mode: "fresh" })
  })
})

describe("journeyRun, what it offers", () => {
  it("offers to resume, retry or skip a read that was not begun", () => {
    assert.deepStrictEqual(offered(), ["resume", "retry_stage", "skip_stage", "restart_as_new", "abandon"])
  })
  it("does not resume over an unknown read, but retries it", () => {
    assert.deepStrictEqual(offered(intended("read", "e", "GET")), [
      "retry_stage",
      "skip_stage",
      "restart_as_new",
      "abandon"
    ])
  })
  it("resumes over a catch-up read that was lost", () => {
    const read = { ...intended("read", "e", "GET"), data: { purpose: "catch-up" } }
    assert.deepStrictEqual(offered(read), offered())
    const write = { ...intended("start", "e", "POST"), data: { purpose: "catch-up" } }
    assert.notInclude(offered(graded, done("read"), write), "resume")
  })
  it("verifies an unknown write and never retries one that is not idempotent", () => {
    assert.deepStrictEqual(offered(graded, done("read"), intended("start", "e", "POST")), [
      "verify_and_resume",
      "restart_as_new",
      "finish",
      "abandon"
    ])
  })
  it("offers to finish only what has a grade", () => {
    assert.include(offered(graded), "finish")
    assert.notInclude(offered(), "finish")
  })
  it("takes no decision about an older offer, and none before an offer", () => {
    const { state } = run(stages, [started, ...interruption])
    assert.isFalse(state.can({ type: "recovery.applied", data: { decision: "abandon", version: 0 } }))
    const early = run(stages, [started, interruption[0]!])
    assert.isFalse(early.can("abandon"))
  })
  it("offers only finish and abandon after three recoveries", () => {
    const round = (version: number): ReadonlyArray<Line> => [
      { type: "run.interrupted" },
      { type: "recovery.offered", data: { version } }
    ]
    const events = Array.from({ length: maxRecoveries }, (_, index) => index + 1).flatMap(
      (version): ReadonlyArray<Line> => [
        ...round(version),
        { type: "recovery.applied", data: { decision: "resume", version } },
        { type: "run.resumed" }
      ]
    )
    const { can } = run(stages, [started, graded, ...events, ...round(maxRecoveries + 1)])
    assert.deepStrictEqual(
      Decision.literals.filter((decision) => can(decision)),
      ["finish", "abandon"]
    )
  })
  it("goes on by itself only when nothing is open", () => {
    assert.isTrue(run(stages, [started]).state.can(heard({ type: "run.resumed" })))
    assert.isFalse(
      run(stages, [started, intended("read", "e", "GET")]).state.can(heard({ type: "run.resumed" }))
    )
  })
  it("names each decision and says what it means", () => {
    const transitions = journeyRun.states.interrupted?.on["recovery.applied"] ?? []
    assert.lengthOf(transitions, Decision.literals.length)
    for (const { meta } of transitions) assert.isNotEmpty((meta as { label: string }).label)
  })
})

describe("journeyRun, whatever it hears", () => {
  const anyEvent: fc.Arbitrary<Line> = fc
    .record({
      type: fc.constantFrom(...LedgerEventType.literals),
      stageId: fc.constantFrom("read", "start", "wait", "elsewhere"),
      id: fc.constantFrom("e1", "e2"),
      method: fc.constantFrom("GET", "POST"),
      decision: fc.constantFrom(...Decision.literals),
      version: fc.integer({ min: 0, max: 5 })
    })
    .map(({ decision, id, method, stageId, type, version }) => ({
      type,
      stageId,
      exchange: exchange(id, method),
      assertions: graded.assertions ?? [],
      data: { decision, version }
    }))
  const terminal: ReadonlyArray<State> = ["completed", "cancelled", "failed"]

  it("keeps its invariants", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        let [state] = initialTransition(journeyRun, { stages })
        for (const event of events) {
          const [next, asks] = transition(journeyRun, state, heard(event))
          const { context } = next
          if (terminal.includes(stateOf(state))) assert.strictEqual(next.value, state.value)
          assert.isAtLeast(context.index, state.context.index)
          assert.isAtMost(context.index, stages.length)
          assert.isAtLeast(context.recoveries, state.context.recoveries)
          assert.strictEqual(next.hasTag("terminal"), terminal.includes(stateOf(next)))
          assert.strictEqual(next.hasTag("healthy"), next.value !== "interrupted")
          assert.strictEqual(next.hasTag("waiting"), stateOf(next).startsWith("waiting."))
          // Work on a stage is asked for only when nothing is unknown, or the caller has decided.
          const asksForStage = asks.some(({ type }) => type === "runStage")
          if (asksForStage && event.type === "run.resumed") assert.isEmpty(context.open)
          if (event.type === "recovery.applied" && next !== state) {
            const { decision } = event.data as { decision: Decision }
            assert.strictEqual(state.value, "interrupted")
            assert.isTrue(mayDecide(state.context, decision))
          }
          const { progress } = context
          const underWay = progress.stages.filter(({ state }) => ["active", "waiting"].includes(state))
          if (next.hasTag("terminal")) assert.isEmpty(underWay)
          if (next.hasTag("waiting")) assert.isNotNull(progress.waitingFor)
          if (next.hasTag("terminal")) assert.isNull(progress.waitingFor)
          if (next.value !== "interrupted") assert.isEmpty(progress.recoveryOptions)
          // Stored as JSON, it is the same.
          assert.deepStrictEqual(JSON.parse(JSON.stringify(context)), context)
          state = next
        }
      }),
      { numRuns: 300 }
    )
  })

  it("offers a way out of every interruption", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        const before = run(stages, [started, ...events]).state
        const [lost] = transition(journeyRun, before, heard({ type: "run.interrupted" }))
        if (lost.value !== "interrupted") return
        const [offer] = transition(
          journeyRun,
          lost,
          heard({ type: "recovery.offered", data: { version: lost.context.recoveryVersion + 1 } })
        )
        assert.isTrue(offer.can(heard(apply("abandon", offer))))
      }),
      { numRuns: 200 }
    )
  })
})
