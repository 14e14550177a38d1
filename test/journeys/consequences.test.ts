import { assert, describe, it } from "@effect/vitest"
import type { JourneyRunContext } from "../../machines/journeyRunContext.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { consequencesInWords, repeats } from "../../src/journeys/recovery/consequences.ts"

describe("what a new run in place of an interrupted one sends again", () => {
  const line = (sequence: number, method: string, module: string, operation: string, purpose: string) =>
    ({
      sequence,
      type: "exchange.intended",
      occurredAt: "2026-01-01T00:00:00.000Z",
      assertions: [],
      data: { purpose },
      exchange: { module, operation, request: { method } }
    }) as unknown as LedgerEvent // nothing else is looked at
  const context = { stages: [], open: [] } as unknown as JourneyRunContext

  it("is also what the old one had tidied up with already, but for what it only read", () => {
    const events = [
      line(1, "DELETE", "tariffs", "DELETE tariff", "clean-up"),
      line(2, "POST", "commands", "STOP_SESSION", "clean-up"),
      line(3, "GET", "sessions", "list", "clean-up"),
      line(4, "GET", "sessions", "list", "catch-up")
    ]
    assert.deepStrictEqual(repeats("restart_as_new", context, events), [
      "DELETE tariffs",
      "POST commands/STOP_SESSION"
    ])
    assert.deepStrictEqual(repeats("abandon", context, events), [])
  })
})

describe("what a decision causes, in words", () => {
  it("names the stage by its id, as ledger and report do", () => {
    const stage = { id: "session-updates", name: "Energy flows" }
    const context = { stages: [stage], index: 0, open: [], recoveries: 0 } as unknown as JourneyRunContext
    for (const decision of ["resume", "retry_stage", "skip_stage"] as const) {
      const words = consequencesInWords(decision, context, [])
      assert.include(words, "stage session-updates")
      assert.notInclude(words, "Energy flows")
    }
  })
})
