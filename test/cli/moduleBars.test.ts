import { assert, describe, it } from "vitest"
import type { Assertion, Outcome } from "../../schema/Assertion.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import {
  type Bars,
  barsAfter,
  noBars,
  phaseLegend,
  progressLine,
  stageLine,
  stageResult,
  stepOfWait,
  waitLine
} from "../../src/cli/follow/moduleBars.ts"

const results = (...outcomes: ReadonlyArray<Outcome>): ReadonlyArray<Assertion> =>
  outcomes.map((outcome, index) => ({
    id: `LOC-${index}`,
    title: "t",
    outcome,
    strength: "must",
    reference: "mod_locations"
  }))

const event = (
  type: LedgerEvent["type"],
  second: number,
  assertions: ReadonlyArray<Assertion> = [],
  more: object = { stageId: "locations" }
) =>
  ({
    sequence: second,
    type,
    occurredAt: `2026-11-21T10:00:0${second}.000Z`,
    assertions,
    ...more
  }) as LedgerEvent

const barsOf = (...events: ReadonlyArray<LedgerEvent>): Bars => events.reduce(barsAfter, noBars)
const created = event("run.created", 0, [], { data: { stages: ["locations"], of: 8 } })

describe("the bars of a conformance run", () => {
  it("say what is waited for, since when and until when", () => {
    const data = {
      party: "partner",
      instruction: "The partner is to push\nthe session",
      deadline: "2026-11-21T10:02:03.000Z",
      step: "commands.start#session"
    }
    const wait = event("wait.started", 3, [], { stageId: "commands.write", data })
    assert.strictEqual(
      waitLine(wait),
      "waiting since 10:00:03 until at most 10:02:03 UTC: The partner is to push the session"
    )
    assert.strictEqual(stepOfWait(wait), "commands.start#session")
    assert.isUndefined(waitLine(created))
    assert.isUndefined(stepOfWait(created))
  })

  it("say what the ends of the stages' names mean, of those that the run has", () => {
    const stages = ["tokens", "tokens.write", "locations.write", "tokens.watch"]
    const legend = phaseLegend(event("run.created", 0, [], { data: { stages } }))
    assert.match(
      legend!,
      /^\.write: what plugfest writes at the partner; \.watch: what the partner has sent [a-z ]+$/
    )
    assert.isUndefined(phaseLegend(created))
    assert.isUndefined(phaseLegend(event("stage.started", 1)))
  })

  it("count what was judged, of all that is to be", () => {
    const bars = barsOf(
      created,
      event("stage.started", 1),
      event("assertions.recorded", 2, results("passed", "failed"))
    )
    assert.strictEqual(progressLine(bars), `[${"#".repeat(6)}${"·".repeat(18)}] 2/8 locations`)
  })

  it("tell a stage in one line when it is over: the graded ones that are good, and how long it took", () => {
    const over = event("stage.completed", 4)
    const bars = barsOf(
      event("stage.started", 1),
      event("assertions.recorded", 3, results("passed", "warned", "failed", "not_tested")),
      over
    )
    assert.match(
      stageLine(bars, over, (_, text) => text)!,
      /^locations +FAIL +2\/3 +3\.0 s +\[#{16}·{8}\] +1 not judged$/
    )
  })

  it("fit the terminal: the bar is as long as there is room for, or left out", () => {
    const over = event("stage.completed", 4)
    const bars = barsOf(
      event("stage.started", 1),
      event("assertions.recorded", 3, results("passed", "not_tested")),
      over
    )
    const at = (columns: number) => stageLine(bars, over, (_, text) => text, columns)!
    assert.match(at(60), /^locations +ok +1\/1 +3\.0 s +1 not judged$/)
    assert.match(at(80), /\[#{6}\] +1 not judged$/)
    for (const columns of [80, 90, 120]) assert.isAtMost(at(columns).length, columns)
    assert.strictEqual(at(200), at(100))
  })

  it("say nothing while the stage goes on", () => {
    const began = event("stage.started", 1)
    assert.isUndefined(stageLine(barsOf(began), began, (_, text) => text))
  })

  it("forget what a stage had when it is run again", () => {
    const bars = barsOf(
      created,
      event("assertions.recorded", 1, results("failed")),
      event("stage.started", 2),
      event("assertions.recorded", 3, results("passed"))
    )
    assert.match(progressLine(bars), /1\/8/)
  })

  it.each([
    [["passed", "warned", "error", "failed"], "FAIL"],
    [["passed", "warned", "error"], "error"],
    [["passed", "warned"], "warn"],
    [["passed", "not_tested"], "ok"],
    [["not_tested", "unobservable"], "none"]
  ] as const)("show the worst of %j", ([...outcomes], result) => {
    const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 1]))
    assert.strictEqual(stageResult(counts), result)
  })

  it("are full only when all is good", () => {
    const over = event("stage.completed", 2)
    const many = results("failed", ...Array<Outcome>(99).fill("passed"))
    const bars = barsOf(event("assertions.recorded", 1, many), over)
    assert.include(
      stageLine(bars, over, (_, text) => text),
      "·]"
    )
  })
})
