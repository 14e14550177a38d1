/** Reports as files, and two runs side by side. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Assertion, Outcome } from "../../schema/Assertion.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { genesisOf, lineOf } from "../../src/ledger/run/ledgerLine.ts"
import { emptyView } from "../../src/ledger/run/runView.ts"
import { ask, exchangeOf, servedApi } from "../support/http/servedApi.ts"
import { factsOf, write } from "../support/http/writtenRuns.ts"
import { readXml } from "../support/readXml.ts"

const result = (id: string, outcome: Outcome): Assertion => ({
  id,
  title: `Title of ${id}`,
  outcome,
  strength: "must",
  reference: "versions",
  module: "versions",
  exchangeIds: ["exc_1"]
})

/** A run that is over, with these results in one line. */
const graded = (name: string, outcomes: Readonly<Record<string, Outcome>>, owner?: string) =>
  Effect.gen(function* () {
    const facts = { ...factsOf(name, owner), kind: "conformance" as const, subjectId: "ocpi-2.2.1-cpo-core" }
    const assertions = Object.entries(outcomes).map(([id, outcome]) => result(id, outcome))
    const event = { sequence: 1, type: "exchange.completed", occurredAt: facts.createdAt } as const
    const exchange = exchangeOf()
    const line = lineOf(
      { ...event, stageId: "versions", assertions, exchange },
      "event-1",
      genesisOf(facts.runId)
    )
    const machine = { value: "completed", tags: ["terminal"] }
    const view = { ...emptyView(facts), status: "completed" as const, lastSequence: 1, machine }
    yield* (yield* Ledger).create(facts, {
      lines: [line],
      headHash: line.hash,
      snapshot: { machine: {}, view: { ...view, verdict: "fail" as const } }
    })
  })

const exported = (format: string, headers = {}) =>
  ask(`/api/v1/testing/runs/rep_new/export${format}`, { headers })
const compared = (later: string, earlier: string) =>
  ask(`/api/v1/testing/runs/${later}/compare?with=${earlier}`)

const told = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* graded("old", { "VERS-001": "passed", "VERS-002": "failed", "VERS-003": "passed" })
    yield* graded("new", { "VERS-001": "failed", "VERS-002": "passed", "VERS-003": "not_tested" })
    yield* graded("foreign", { "VERS-001": "passed" }, "own_bob")
    yield* write(factsOf("journey"), 1, 3)
    yield* write(factsOf("open"), 1, 2)
    return yield* body
  }).pipe(Effect.provide(servedApi()))

describe("GET /testing/runs/{id}/export", () => {
  it.live.each([
    ["junit", "application/xml; charset=utf-8", "junit.xml"],
    ["json", "application/json", "json"],
    ["html", "text/html; charset=utf-8", "html"],
    ["markdown", "text/markdown; charset=utf-8", "md"],
    ["har", "application/json", "har"],
    ["ledger", "application/json", "ledger.json"],
    ["signed", "application/json", "ledger.dsse.json"]
  ] as const)("sends %s in its type, as a file with a name", ([format, type, extension]) =>
    told(
      Effect.gen(function* () {
        const { headers, status, text } = yield* exported(`?format=${format}`, { accept: "text/html" })
        assert.strictEqual(status, 200, text)
        assert.strictEqual(headers.get("content-type"), type)
        const name = `ocpi-2.2.1-cpo-core_rep_new.${extension}`
        assert.strictEqual(headers.get("content-disposition"), `attachment; filename="${name}"`)
        const read = format === "signed" ? Buffer.from(JSON.parse(text).payload, "base64").toString() : text
        assert.include(read, format === "har" ? "https://cpo.example.com/commands" : "VERS-001")
      })
    )
  )

  it.live("shows a run that is not over as one that is not", () =>
    told(
      Effect.gen(function* () {
        const { text } = yield* ask("/api/v1/testing/runs/run_open/export?format=junit")
        assert.deepInclude(readXml(text).attributes, { tests: "1", errors: "1" })
      })
    )
  )

  it.live("signs for plans that include it, and shows the lines to everybody who owns them", () =>
    told(
      Effect.gen(function* () {
        yield* graded("poor", { "VERS-001": "passed" }, "own_poor")
        const asked = (format: string) =>
          ask(`/api/v1/testing/runs/rep_poor/export?format=${format}`, { key: "poor-key" })
        const { json, status } = yield* asked("signed")
        assert.strictEqual(status, 402)
        assert.include(json.message, "signed_export")
        assert.strictEqual((yield* asked("ledger")).status, 200)
      })
    )
  )

  it.live("refuses a format that there is not, and runs of others", () =>
    told(
      Effect.gen(function* () {
        for (const query of ["", "?format=pdf"]) {
          const { json, status } = yield* exported(query)
          assert.strictEqual(status, 400)
          assert.match(json.message, /^format: /)
        }
        const foreign = yield* ask("/api/v1/testing/runs/rep_foreign/export?format=html")
        assert.strictEqual(foreign.status, 404)
        assert.isFalse(foreign.json.success)
      })
    )
  )
})

describe("GET /testing/runs/{id}/compare", () => {
  it.live("tells what became of each check since the earlier run", () =>
    told(
      Effect.gen(function* () {
        const { json } = yield* compared("rep_new", "run_old")
        const ids = (list: string) => json.data[list].map(({ id }: { id: string }) => id)
        assert.deepStrictEqual(
          ["newlyFailing", "fixed", "stillFailing", "noLongerGraded", "newlyGraded"].map(ids),
          [["VERS-001"], ["VERS-002"], [], ["VERS-003"], []]
        )
        assert.deepStrictEqual([json.data.before._id, json.data.after._id], ["rep_old", "rep_new"])
      })
    )
  )

  it.live("refuses runs of others, of another kind, and those that are not over", () =>
    told(
      Effect.gen(function* () {
        const asked = [
          ["rep_new", "rep_foreign", 404],
          ["rep_foreign", "rep_new", 404],
          ["rep_new", "rep_journey", 422],
          ["rep_new", "rep_open", 422],
          ["rep_open", "rep_new", 422]
        ] as const
        for (const [later, earlier, status] of asked) {
          const answer = yield* compared(later, earlier)
          assert.strictEqual(answer.status, status, `${later} ${earlier}`)
          assert.isNotEmpty(answer.json.message)
        }
      })
    )
  )
})
