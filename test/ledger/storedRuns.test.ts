/**
 * Ledgers of runs that earlier releases wrote, as exported then (`stored/*.json.gz`): journeys that ended, were cancelled,
 * and were killed, as they were offered each decision and as they ended after it; suites. They must replay for ever.
 */
import { readdirSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import type { LedgerDocument } from "../../schema/LedgerDocument.ts"
import { suiteRunKind } from "../../src/conformance/run/SuiteRuns.ts"
import { journeyKind } from "../../src/journeys/recovery/recovery.ts"
import { recompute } from "../../src/ledger/run/ledgerDocument.ts"

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

  it("is found out when its state was changed", () => {
    const document = stored("interrupted-before-resume.json.gz")
    for (const change of [{ stages: [] }, { recoveryOptions: [] }, { stageId: null }, { waitingFor: {} }]) {
      const view = { ...(document.snapshot.view as object), ...change }
      const changed = { ...document, snapshot: { ...document.snapshot, view } }
      assert.strictEqual(recompute(journeyKind, changed).difference?.part, "snapshot")
    }
  })
})
