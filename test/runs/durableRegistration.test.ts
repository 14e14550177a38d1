import { it } from "@effect/vitest"
import { Effect } from "effect"
import { assert, describe } from "vitest"
import type { Exchange } from "../../schema/Exchange.ts"
import { PartyId, RunId } from "../../schema/Ids.ts"
import { type EventDraft, StaleRun } from "../../src/ledger/Ledger.ts"
import { ExchangeRecorder } from "../../src/party/outbound/ExchangeRecorder.ts"
import { durableRegistration } from "../../src/runs/durableRegistration.ts"

const exchange = (id: string): Exchange => ({
  id,
  direction: "outbound",
  module: "credentials",
  operation: "POST credentials",
  request: { method: "POST", url: "https://cpo.example", headers: {}, body: null, truncated: false },
  response: null,
  outcome: "unknown",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 0,
  requestId: "r",
  correlationId: "c"
})

/** A handshake of so many requests; `kept` is told what the party keeps after each. */
const handshake = (count: number, kept: Array<string>) =>
  Effect.gen(function* () {
    const recorder = yield* ExchangeRecorder
    for (let step = 0; step < count; step++) {
      yield* recorder.intended(exchange(`exc_${step}`))
      kept.push(`sent ${step}`)
      yield* recorder.completed(exchange(`exc_${step}`))
      kept.push(`token ${step}`)
    }
    return "registered"
  })

const partyId = PartyId.make("conn_1")
const lineOf = (step: number, end: string) => ({ key: `${step}/${end}` })
const stale = new StaleRun({ runId: RunId.make("run_1"), message: "another process has it" })

/** A ledger that takes so many lines. */
const takes = (lines: number, written: Array<string>) => (drafts: ReadonlyArray<EventDraft>) =>
  Effect.suspend(() => {
    if (written.length === lines) return Effect.fail(stale)
    written.push(...drafts.map(({ key }) => key))
    return Effect.void
  })

describe("a change of the registration in a run", () => {
  it.effect("stands in the ledger, each request before it is sent and its answer after", () =>
    Effect.gen(function* () {
      const [written, kept]: [Array<string>, Array<string>] = [[], []]
      const { done, made } = yield* durableRegistration(
        { partyId, lineOf, record: takes(9, written) },
        handshake(2, kept)
      )
      assert.strictEqual(done, "registered")
      assert.deepStrictEqual(
        made.map(({ id }) => id),
        ["exc_0", "exc_1"]
      )
      assert.deepStrictEqual(written, ["0/intended", "0/completed", "1/intended", "1/completed"])
    })
  )

  it.effect("sends nothing that cannot be written down before", () =>
    Effect.gen(function* () {
      const kept: Array<string> = []
      const failed = yield* Effect.flip(
        durableRegistration({ partyId, lineOf, record: takes(2, []) }, handshake(2, kept))
      )
      assert.strictEqual(failed, stale)
      assert.deepStrictEqual(kept, ["sent 0", "token 0"])
    })
  )

  it.effect("keeps the token of an answer that cannot be written down any more", () =>
    Effect.gen(function* () {
      const kept: Array<string> = []
      const failed = yield* Effect.flip(
        durableRegistration({ partyId, lineOf, record: takes(1, []) }, handshake(1, kept))
      )
      assert.strictEqual(failed, stale)
      assert.deepStrictEqual(kept, ["sent 0", "token 0"])
    })
  )
})
