/**
 * Ledgers of runs that earlier releases wrote, as exported then (`stored/*.json.gz`): journeys that ended, were cancelled,
 * and were killed, as they were offered each decision and as they ended after it; suites. They must replay for ever.
 */
import { readdirSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import { summaryOf } from "../../machines/runCounts.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import type { LedgerDocument } from "../../schema/ledger/LedgerDocument.ts"
import { suiteRunKind } from "../../src/conformance/run/suiteRunKind.ts"
import { next, nothing, waitAt } from "../../src/console/ledger/foldRun.ts"
import { journeyKind } from "../../src/journeys/recovery/journeyKind.ts"
import { foldEvent, foldStart, snapshotOf } from "../../src/ledger/run/foldRun.ts"
import { recompute } from "../../src/ledger/run/ledgerDocument.ts"
import type { RunKindOf } from "../../src/ledger/run/RunKind.ts"
import { reportOf, statusOf } from "../../src/ledger/run/runReport.ts"

const folder = new URL("stored/", import.meta.url)
const stored = (name: string): LedgerDocument =>
  JSON.parse(gunzipSync(readFileSync(new URL(name, folder))).toString("utf8"))

describe("a run of an earlier release", () => {
  for (const name of readdirSync(folder))
    it(`replays to the states, the view and the report that were kept: ${name}`, () => {
      const document = stored(name)
      const kind = document.facts.kind === "journey" ? journeyKind : suiteRunKind
      const { difference, report } = recompute(kind, document)
      assert.isNull(difference, difference?.message)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(report)), document.report)
    })

  for (const name of readdirSync(folder))
    it(`is shown by the console as the service shows it, after each event: ${name}`, () => {
      const { facts, lines } = stored(name)
      const kind: RunKindOf = facts.kind === "journey" ? journeyKind : suiteRunKind
      const owned = { facts, headHash: "", leaseEpoch: 0, leaseAlive: false, released: true, archived: false }
      let { folded } = foldStart(kind, facts)
      let at = nothing
      for (const { line } of lines) {
        const event: LedgerEvent = JSON.parse(line)
        folded = foldEvent(kind, folded, event).folded
        at = next(at, event)
        const row = { ...owned, snapshot: snapshotOf(folded) }
        const { summary, waitingFor: shown = null } = reportOf(row)
        const { stages, waitingFor } =
          facts.kind === "journey" ? statusOf(row) : { ...folded.view, waitingFor: shown }
        assert.deepStrictEqual(
          {
            stages: at.progress.stages,
            wait: waitAt(at) === undefined ? null : at.progress.waitingFor,
            summary: summaryOf(at.counts)
          },
          { stages, wait: waitingFor, summary },
          `after ${event.sequence} ${event.type}`
        )
      }
    })

  it("is found out when its state was changed", () => {
    const document = stored("interrupted-before-resume.json.gz")
    for (const change of [{ stages: [] }, { recoveryOptions: [] }, { stageId: null }, { waitingFor: {} }]) {
      const view = { ...(document.snapshot.view as object), ...change }
      const changed = { ...document, snapshot: { ...document.snapshot, view } }
      assert.strictEqual(recompute(journeyKind, changed).difference?.part, "snapshot")
    }
  })
})
