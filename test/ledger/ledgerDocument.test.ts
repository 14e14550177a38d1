import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { ConnectionId, OwnerId, ReportId, RunId } from "../../schema/Ids.ts"
import type { LedgerDocument } from "../../schema/ledger/LedgerDocument.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerMemory } from "../../src/ledger/LedgerMemory.ts"
import { ledgerDocumentOf, recompute } from "../../src/ledger/run/ledgerDocument.ts"
import { genesisOf, hashOf } from "../../src/ledger/run/ledgerLine.ts"
import { RunLogs } from "../../src/ledger/run/RunLog.ts"
import { RunLogsLive } from "../../src/ledger/run/RunLogsLive.ts"
import { draft, newFacts, sample, started } from "../support/runs/sampleRun.ts"

const plan = { profile: "strict", stages: ["a", "b"] }

/** Of a run with one failed check, read after it was over. */
const played = Effect.gen(function* () {
  const ledger = yield* Ledger
  const facts = newFacts({ plan })
  const { log } = yield* (yield* RunLogs).create(sample, facts, [
    draft("run.created", { data: { stages: plan.stages, plan } })
  ])
  yield* log.record([started, draft("stage.started", { stageId: "a" })])
  const failed = { id: "X-1", title: "x", outcome: "failed", strength: "must", reference: "r" } as const
  yield* log.record([draft("assertions.recorded", { stageId: "a", assertions: [failed] })])
  yield* log.record([draft("stage.completed", { stageId: "a" }), draft("run.completed")])
  const row = Option.getOrThrow(yield* ledger.run(facts.ownerId, facts.runId))
  const document = ledgerDocumentOf(row, yield* ledger.page(facts.runId, 0, 100), "2026-11-21T10:00:00.000Z")
  return JSON.parse(JSON.stringify(document)) as LedgerDocument
}).pipe(Effect.provide(Layer.provideMerge(RunLogsLive.layer({ leaseSeconds: 15 }), LedgerMemory.layer())))

/** A forger who knows how to hash. */
const rehashed = (document: LedgerDocument, change: (line: string, sequence: number) => string) => {
  let headHash = genesisOf(document.facts.runId)
  const lines = document.lines.map(({ line }, index) => {
    const text = change(line, index + 1)
    headHash = hashOf(headHash, text)
    return { line: text, hash: headHash }
  })
  return { ...document, lines, headHash }
}

const differenceIn = (change: (document: LedgerDocument) => LedgerDocument) =>
  Effect.map(played, (document) => recompute(sample, change(document)).difference)

describe("a ledger recomputed", () => {
  it.live("adds up to the report that is stored, with nothing left over", () =>
    Effect.map(played, (document) => {
      const { difference, report } = recompute(sample, document)
      assert.isNull(difference)
      assert.deepStrictEqual(report, document.report)
      assert.deepInclude(report, { verdict: "fail", status: "completed", revision: 6 })
    })
  )

  it.live("names the first line whose text was changed", () =>
    Effect.map(
      differenceIn((document) => ({
        ...document,
        lines: document.lines.map((one, index) =>
          index >= 3 ? { ...one, line: one.line.replace("failed", "passed") } : one
        )
      })),
      (difference) => assert.deepInclude(difference, { part: "chain", sequence: 4 })
    )
  )

  it.live("finds lines that were cut off", () =>
    Effect.map(
      differenceIn((document) => ({ ...document, lines: document.lines.slice(0, -1) })),
      (difference) => assert.deepInclude(difference, { part: "chain", sequence: 6 })
    )
  )

  it.live("finds a state that the lines do not lead to, although every hash was made anew", () =>
    Effect.map(
      differenceIn((document) =>
        rehashed(document, (line, sequence) =>
          sequence === 2 ? line.replace('"machine":"running"', '"machine":"waiting"') : line
        )
      ),
      (difference) => assert.deepInclude(difference, { part: "fold", sequence: 2 })
    )
  )

  it.live("finds that a judgement was turned round, by the report that does not follow", () =>
    Effect.map(
      differenceIn((document) =>
        rehashed(document, (line) => line.replace('"outcome":"failed"', '"outcome":"passed"'))
      ),
      (difference) => {
        assert.deepInclude(difference, { part: "report", sequence: null })
        assert.include(difference?.message, "verdict")
      }
    )
  )

  it.live("finds a report, a snapshot and a plan that were touched", () =>
    Effect.gen(function* () {
      const report = yield* differenceIn((document) => ({
        ...document,
        report: { ...document.report, verdict: "pass" }
      }))
      assert.include(report?.message, "verdict")
      const snapshot = yield* differenceIn((document) => ({
        ...document,
        snapshot: { ...document.snapshot, machine: {} }
      }))
      assert.strictEqual(snapshot?.part, "snapshot")
      const facts = yield* differenceIn((document) => ({
        ...document,
        facts: { ...document.facts, plan: { ...plan, profile: "lenient" } }
      }))
      assert.deepInclude(facts, { part: "facts", sequence: 1 })
    })
  )

  it.live("finds any other fact that was changed beside the lines, in the report too", () =>
    Effect.gen(function* () {
      const other = "a0000000000000000000000000000000f"
      const changes = {
        reportId: ReportId.make(`rep_${other}`),
        ownerId: OwnerId.make(`own_${other}`),
        connectionId: ConnectionId.make(`conn_${other}`),
        connectionLabel: "another partner",
        ocpiVersion: "2.1.1",
        subjectId: "another-subject",
        predecessorRunId: RunId.make(`run_${other}`),
        createdAt: "2020-01-01T00:00:00.000Z"
      } as const
      const inReport = { reportId: "_id", subjectId: "templateId" }
      for (const [name, value] of Object.entries(changes)) {
        const difference = yield* differenceIn((document) => ({
          ...document,
          facts: { ...document.facts, [name]: value },
          report: { ...document.report, [inReport[name as "reportId"] ?? name]: value }
        }))
        assert.deepInclude(difference, { part: "facts", sequence: 1 }, name)
        assert.include(difference?.message, name)
      }
    })
  )

  it.live("says so when a line is no event at all", () =>
    Effect.map(
      differenceIn((document) =>
        rehashed(document, (line, sequence) => (sequence === 3 ? '{"sequence":3,"type":"no.such"}' : line))
      ),
      (difference) => assert.deepInclude(difference, { part: "fold", sequence: 3 })
    )
  )
})
