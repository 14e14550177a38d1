/** Two runs side by side, and one check over several: the pure parts. */
import { assert, describe, it } from "vitest"
import type { RunReport } from "../../../src/client/plugfest.ts"
import { filterRunExchanges } from "../../../src/console/exchanges/filterExchanges.ts"
import {
  changesOf,
  earlierRuns,
  historySentence,
  referenceRuns,
  runsOfHistory
} from "../../../src/console/reports/compareRuns.ts"

const run = (id: string, day: number, more: Partial<RunReport> = {}): RunReport =>
  ({
    _id: id,
    kind: "conformance",
    connectionId: "conn_1",
    ocpiVersion: "2.2.1",
    suiteId: "core",
    verdict: "fail",
    createdAt: `2026-01-0${day}T00:00:00.000Z`,
    ...more
  }) as RunReport
const idsOf = (runs: ReadonlyArray<RunReport>) => runs.map(({ _id }) => _id)

describe("the runs that a report can be laid beside", () => {
  const report = run("now", 5)
  const runs = [
    run("later", 6),
    report,
    run("open", 4, { verdict: null }),
    run("other suite", 4, { suiteId: "full" }),
    run("old", 1),
    run("before", 3)
  ]

  it("are the earlier ones of the partner that are over, those of the same suite first", () => {
    assert.deepStrictEqual(idsOf(earlierRuns(runs, report)), ["before", "old", "other suite"])
  })

  it("are the newest of the same suite with each other partner", () => {
    const others = [
      run("b old", 1, { connectionId: "conn_b" }),
      run("b new", 7, { connectionId: "conn_b" }),
      run("c", 2, { connectionId: "conn_c" }),
      run("c full", 3, { connectionId: "conn_c", suiteId: "full" })
    ]
    assert.deepStrictEqual(idsOf(referenceRuns([...runs, ...others], report)), ["b new", "c"])
  })

  it("have a history of a check where they could ask the same one", () => {
    assert.deepStrictEqual(idsOf(runsOfHistory(runs, report, 4)), ["later", "now", "other suite", "before"])
    const journey = { kind: "journey", suiteId: undefined, templateId: "a" } as unknown as Partial<RunReport>
    const journeys = [run("a", 1, journey), run("b", 2, { ...journey, templateId: "b" })]
    assert.deepStrictEqual(idsOf(runsOfHistory(journeys, journeys[0]!, 4)), ["a"])
  })
})

describe("what has changed between two runs", () => {
  const change = (id: string, before: unknown, after: unknown) => ({
    id,
    title: id,
    strength: "must",
    before,
    after
  })
  const comparison = {
    before: run("a", 1),
    after: run("b", 2),
    newlyFailing: [change("A", null, "failed")],
    fixed: [],
    stillFailing: [],
    noLongerGraded: [
      change("B", "passed", null),
      change("C", "failed", null),
      change("D", "passed", "not_tested")
    ],
    newlyGraded: [change("E", null, "passed"), change("F", "not_tested", "passed")],
    unchanged: 3
  } as unknown as Parameters<typeof changesOf>[0]

  it("is listed, but what only one of them asked is one sentence", () => {
    const { lists, sentences } = changesOf(comparison)
    assert.deepStrictEqual(
      lists.map(([title, list]) => [title, list.map(({ id }) => id)]),
      [
        ["Newly failing", ["A"]],
        ["Could not be judged any more", ["D"]],
        ["Judged now, and not before", ["F"]]
      ]
    )
    assert.deepStrictEqual(sentences, [
      "2 checks of the earlier run were not asked in this one.",
      "1 check was asked in this run only, and did not fail.",
      "3 checks had the same result."
    ])
  })
})

describe("the history of a check", () => {
  const rows = (...outcomes: ReadonlyArray<"passed" | "failed" | undefined>) =>
    outcomes.map((outcome, index) => ({ run: run(`${index}`, 1), outcome }))

  it("is one sentence about the runs that asked it, newest first", () => {
    assert.strictEqual(historySentence(rows("passed", undefined, "passed")), "It failed in none of 2 runs.")
    assert.strictEqual(historySentence(rows("failed", "failed")), "It failed in all of 2 runs.")
    assert.strictEqual(historySentence(rows("failed")), "It failed in the one run that asked it.")
    assert.strictEqual(historySentence(rows(undefined)), "No run has asked it.")
    assert.strictEqual(
      historySentence(rows("failed", undefined, "failed", "passed", "failed")),
      "It failed in 3 of 4 runs, and in the last 2."
    )
    assert.strictEqual(
      historySentence(rows("passed", "failed")),
      "It failed in 1 of 2 runs, but not in the last one."
    )
  })
})

describe("the exchanges of a run", () => {
  const exchange = (direction: string, url: string, httpStatus: number | undefined) => ({
    direction,
    outcome: "timed_out",
    request: { method: "GET", url },
    response: httpStatus === undefined ? null : { httpStatus }
  })
  const exchanges = [
    { stageId: "locations", exchange: exchange("outbound", "https://p/ocpi/locations", 200) },
    { stageId: "locations", exchange: exchange("outbound", "https://p/ocpi/locations", undefined) },
    { stageId: null, exchange: exchange("inbound", "https://us/ocpi/sessions", 404) }
  ] as unknown as Parameters<typeof filterRunExchanges>[0]

  it("are filtered by part, side and words", () => {
    const many = (filter: Parameters<typeof filterRunExchanges>[1]) =>
      filterRunExchanges(exchanges, filter).length
    assert.deepStrictEqual(
      [
        {},
        { part: "locations" },
        { direction: "inbound" },
        { text: "TIMED get" },
        { text: "404 locations" }
      ].map(many),
      [3, 2, 1, 1, 0]
    )
  })
})
