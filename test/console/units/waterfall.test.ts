/** Where the time of a run went: spans, their sums, and where they are drawn. */
import { assert, describe, it } from "vitest"
import type { LedgerEvent } from "../../../src/client/plugfest.ts"
import { spanInWords } from "../../../src/console/ledger/spanInWords.ts"
import { totalsOf, waterfallOf } from "../../../src/console/ledger/waterfallOf.ts"
import { axisTimes, scaleOf } from "../../../src/console/ledger/waterfallScale.ts"

const begin = Date.parse("2026-01-01T00:00:00.000Z")
const at = (millis: number) => new Date(begin + millis).toISOString()
const exchange = (id: string, from: number, durationMs: number, more: object = {}) => ({
  id,
  direction: "outbound",
  module: "commands",
  operation: "START_SESSION",
  outcome: "completed",
  request: { method: "POST" },
  response: { httpStatus: 200 },
  startedAt: at(from),
  durationMs,
  ...more
})
let sequence = 0
const event = (type: string, millis: number, more: object = {}) => ({
  sequence: ++sequence,
  type,
  occurredAt: at(millis),
  assertions: [],
  ...more
})
const eventsOf = (...events: ReadonlyArray<object>) => events as ReadonlyArray<LedgerEvent>

const run = eventsOf(
  event("run.created", 0, { data: { stages: ["start"] } }),
  event("stage.started", 10, { stageId: "start", data: { attempt: 1 } }),
  event("exchange.intended", 20, { stageId: "start", exchange: exchange("x1", 20, 0, { response: null }) }),
  event("exchange.completed", 70, { stageId: "start", exchange: exchange("x1", 20, 50) }),
  event("wait.started", 75, { stageId: "start", data: { party: "partner", since: at(60) } }),
  event("inbound.received", 10_070, {
    stageId: "start",
    exchange: exchange("y", 10_060, 5, {
      direction: "inbound",
      operation: "PUT session",
      module: "sessions",
      request: { method: "PUT" }
    })
  }),
  event("wait.satisfied", 10_070, { stageId: "start" }),
  event("stage.completed", 10_075, { stageId: "start" }),
  event("run.completed", 10_080)
)
const relative = (events: ReadonlyArray<LedgerEvent>) =>
  waterfallOf(events).spans.map(({ from, isBad, kind, label, to }) => [
    kind,
    label,
    from - begin,
    to === undefined ? undefined : to - begin,
    isBad
  ])

describe("the waterfall of a run", () => {
  it("has each stage with its requests, calls and waits", () => {
    assert.deepStrictEqual(relative(run), [
      ["stage", "Start", 10, 10_075, false],
      ["request", "POST START_SESSION · commands · 200", 20, 70, false],
      ["wait", "Waiting for the partner", 60, 10_070, false],
      ["call", "PUT session · 200", 10_060, 10_065, false]
    ])
  })

  it("leaves open what is not over, and ends with an interruption what was under way", () => {
    const open = run.slice(0, 3)
    assert.deepStrictEqual(
      relative(open).map(([kind, , , to]) => [kind, to]),
      [
        ["stage", undefined],
        ["request", undefined]
      ]
    )
    const interrupted = eventsOf(
      ...open,
      event("run.interrupted", 500, { data: { reason: "lost" } }),
      event("run.resumed", 900),
      event("stage.started", 901, { stageId: "start", data: { attempt: 2 } })
    )
    assert.deepStrictEqual(relative(interrupted), [
      ["stage", "Start", 10, 901, false],
      ["request", "POST START_SESSION · commands", 20, 500, true],
      ["interrupted", "Interrupted", 500, 900, false],
      ["stage", "Start, attempt 2", 901, undefined, false]
    ])
  })

  it("has no span that ends before it begins", () => {
    const back = event("inbound.received", 5, { exchange: exchange("z", 10, -30, { direction: "inbound" }) })
    assert.deepStrictEqual(
      relative(eventsOf(back)).map(([, , from, to]) => [from, to]),
      [[10, 10]]
    )
  })

  it("sums each kind without counting an instant twice", () => {
    // The wait began before the answer: ten milliseconds belong to both, and to plugfest what neither has.
    assert.deepStrictEqual(totalsOf(waterfallOf(run)), {
      network: 0,
      partner: 0,
      request: 50,
      wait: 10_010,
      interrupted: 0,
      plugfest: 10 + 5 + 5
    })
    assert.deepStrictEqual(waterfallOf([]).spans, [])
  })

  it("tells network and partner apart where they were measured", () => {
    const sent = (id: string, from: number, millis: number, more: object) =>
      event("exchange.completed", from + millis, { exchange: exchange(id, from, millis, more) })
    const lost = { outcome: "timed_out", response: null }
    const fall = waterfallOf(
      eventsOf(
        sent("whole", 0, 50, { timings: { connectMs: 10, answerMs: 30 } }),
        sent("silent", 100, 50, { ...lost, timings: { connectMs: 5 } }),
        sent("refused", 200, 20, { ...lost, outcome: "refused" }),
        sent("earlier", 300, 7, {}),
        // Measured by two clocks.
        sent("short", 400, 4, { timings: { connectMs: 3, answerMs: 9 } })
      )
    )
    assert.deepStrictEqual(
      fall.spans.map(({ parts }) => parts.map(({ from, kind, to }) => [kind, from - begin, to - begin])),
      [
        [
          ["network", 0, 10],
          ["partner", 10, 40],
          ["network", 40, 50]
        ],
        [
          ["network", 100, 105],
          ["partner", 105, 150]
        ],
        [["network", 200, 220]],
        [],
        [
          ["network", 400, 403],
          ["partner", 403, 404]
        ]
      ]
    )
    assert.deepInclude(totalsOf(fall), { network: 48, partner: 76, request: 7 })
  })

  it("is said in words, with its parts and with how late plugfest was", () => {
    const timings = { connectMs: 10, answerMs: 30 }
    const [measured, open] = waterfallOf(
      eventsOf(
        event("exchange.completed", 50, { exchange: exchange("x", 0, 50, { timings, ourLateMs: 20 }) }),
        event("wait.started", 60, { data: { party: "partner" } })
      )
    ).spans
    assert.strictEqual(
      spanInWords(measured!),
      "Request: POST START_SESSION · commands · 200, at 00:00:00.000 UTC, took 50 ms: 20 ms network, 30 ms partner; plugfest was late for 20 ms of it"
    )
    assert.strictEqual(spanInWords(open!), "Waiting for the partner, at 00:00:00.060 UTC, not over")
  })

  it("is drawn to scale, or with waits cut so that requests have room", () => {
    const fall = waterfallOf(run)
    const whole = scaleOf(fall, false)
    assert.strictEqual(whole(fall.from), 0)
    assert.strictEqual(whole(fall.to), 1)
    assert.isBelow(whole(begin + 70) - whole(begin + 20), 0.01)
    const cut = scaleOf(fall, true)
    assert.strictEqual(cut(fall.from), 0)
    assert.strictEqual(cut(fall.to), 1)
    assert.isAbove(cut(begin + 70) - cut(begin + 20), 0.4)
    let before = -1
    for (let millis = 10; millis <= 10_080; millis += 5) {
      assert.isAtLeast(cut(begin + millis), before)
      before = cut(begin + millis)
    }
  })

  it("has marks to the second, or to a tenth of it where two would read the same", () => {
    const marks = (...millis: ReadonlyArray<number>) =>
      millis.map((time) => ({ at: 0, millis: Date.UTC(2026, 10, 21, 10, 0, 0) + time }))
    assert.deepStrictEqual(axisTimes(marks(0, 9_000)), ["10:00:00", "10:00:09"])
    assert.deepStrictEqual(axisTimes(marks(0, 400, 9_000)), ["10:00:00.0", "10:00:00.4", "10:00:09.0"])
  })
})
