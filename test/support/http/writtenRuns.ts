/** Runs written straight into the ledger, line by line. */
import { Effect } from "effect"
import { ConnectionId, OwnerId, ReportId, RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { Ledger, type RunFacts } from "../../../src/ledger/Ledger.ts"
import { genesisOf, lineOf } from "../../../src/ledger/run/ledgerLine.ts"
import { emptyView } from "../../../src/ledger/run/runView.ts"

export const factsOf = (name: string, owner = "own_alice"): RunFacts => ({
  runId: RunId.make(`run_${name}`),
  reportId: ReportId.make(`rep_${name}`),
  ownerId: OwnerId.make(owner),
  kind: "journey",
  connectionId: ConnectionId.make("conn_1"),
  connectionLabel: "label",
  ocpiVersion: "2.2.1",
  subjectId: "remote-start",
  plan: {},
  predecessorRunId: null,
  createdAt: "2026-11-21T10:00:00.000Z"
})

export const types: ReadonlyArray<LedgerEvent["type"]> = ["run.created", "run.started", "run.completed"]

/** Lines `from` to `to` of a run; the third one ends it. */
export const write = (facts: RunFacts, from: number, to: number) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    let hash = genesisOf(facts.runId)
    const lines = []
    for (let sequence = 1; sequence <= to; sequence++) {
      const type = types[sequence - 1]!
      // Nobody reads more of it.
      const event = { sequence, type, occurredAt: facts.createdAt, assertions: [] } as LedgerEvent
      const line = lineOf(event, `event-${sequence}`, hash)
      hash = line.hash
      if (sequence >= from) lines.push(line)
    }
    const status = to >= 3 ? ("completed" as const) : ("running" as const)
    const view = {
      ...emptyView(facts),
      status,
      lastSequence: to,
      machine: { value: status, tags: ["healthy"] }
    }
    const what = { lines, headHash: hash, snapshot: { machine: {}, view } }
    if (from === 1) yield* ledger.create(facts, what)
    else yield* ledger.append({ ...what, runId: facts.runId, expectedSequence: from - 1, epoch: 1 })
  })
