/** A run that another process works on, in the ledger of the service: its events come as fast as the measurement wants. */

import { Effect, Exit, Layer, Scope } from "effect"
import pg from "pg"
import { ConnectionId, OwnerId } from "../../schema/Ids.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { SharedTime } from "../../src/database/SharedTime.ts"
import { type Append, Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerPostgres } from "../../src/ledger/postgres/LedgerPostgres.ts"
import { eventIdOf, genesisOf, lineOf } from "../../src/ledger/run/ledgerLine.ts"
import { aliveProcess } from "../../test/support/runs/aliveProcess.ts"
import { appendsOf, newFacts } from "../sampleRun.ts"

export interface FollowedRun {
  readonly runId: string
  /** Commits so many events at once. */
  readonly append: (events: number) => Promise<void>
  readonly close: () => Promise<void>
}

const stage = "session-updates"
const headers = { "content-type": "application/json", "x-request-id": "0b5f", authorization: "«tokenB:3f2a»" }
const body = JSON.stringify({ id: "S1", kwh: 12.5, status: "ACTIVE", note: "x".repeat(400) })

/** What a journey of many updates has: a request of ours, a call of the partner, judgements, and a wait that begins and ends. */
function eventOf(sequence: number, machine: unknown): LedgerEvent {
  const occurredAt = new Date().toISOString()
  const line = { sequence, occurredAt, assertions: [], stageId: stage }
  const message = { headers, body, truncated: false }
  const exchange = {
    id: `ex_${sequence}`,
    direction: sequence % 5 === 1 ? "outbound" : "inbound",
    module: "sessions",
    operation: "PUT session",
    request: { method: "PUT", url: `https://partner.example/ocpi/2.2.1/sessions/S${sequence}`, ...message },
    response: { httpStatus: 200, ocpiStatusCode: 1000, ...message },
    outcome: "completed",
    startedAt: occurredAt,
    durationMs: 12,
    requestId: "r",
    correlationId: "c"
  }
  const assertion = {
    id: `${stage}.${sequence}`,
    title: "The session is the one that was started",
    outcome: "passed",
    strength: "must",
    reference: "mod_sessions, Session Object"
  }
  const kinds = [
    { ...line, machine, type: "exchange.completed", exchange },
    {
      ...line,
      machine: { waiting: "partner" },
      type: "wait.started",
      data: { party: "partner", instruction: "The partner pushes the session.", deadline: occurredAt }
    },
    { ...line, machine: { waiting: "partner" }, type: "inbound.received", exchange },
    { ...line, machine, type: "wait.satisfied" },
    { ...line, machine, type: "assertions.recorded", assertions: [assertion] }
  ]
  return kinds[(sequence - 1) % kinds.length] as unknown as LedgerEvent
}

/** Creates it for the owner of that connection. `database`: where the service has its ledger. */
export async function followedRun(database: string, connectionId: string): Promise<FollowedRun> {
  const scope = Effect.runSync(Scope.make())
  const pool = new pg.Pool({ connectionString: database, max: 4 })
  await aliveProcess(pool, "bench")
  const owner = await pool.query("select owner_id from connection where id = $1", [connectionId])
  const ledger = await LedgerPostgres.layer({
    pool: Effect.succeed(pool),
    owner: "bench",
    leaseSeconds: 86_400
  }).pipe(
    Layer.provide(SharedTime.layer),
    Layer.buildWithScope(scope),
    Effect.flatMap((context) => Effect.provide(Ledger, context)),
    Effect.runPromise
  )
  const facts = {
    ...newFacts(),
    ownerId: OwnerId.make(owner.rows[0].owner_id),
    connectionId: ConnectionId.make(connectionId)
  }
  const next = appendsOf(facts)
  const { snapshot: start } = next()
  const created = {
    sequence: 1,
    type: "run.created",
    occurredAt: facts.createdAt,
    assertions: [],
    machine: "queued",
    data: { stages: start.view.stages.map(({ id }) => id) }
  } as LedgerEvent
  const first = lineOf(created, eventIdOf(facts.runId, "bench/1"), genesisOf(facts.runId))
  await Effect.runPromise(ledger.create(facts, { lines: [first], headHash: first.hash, snapshot: start }))
  let [sequence, headHash] = [1, first.hash]
  return {
    runId: facts.runId,
    append: async (events) => {
      const expectedSequence = sequence
      let snapshot = start
      const lines = Array.from({ length: events }, () => {
        sequence += 1
        snapshot = next().snapshot
        const event = eventOf(sequence, "running")
        const line = lineOf(event, eventIdOf(facts.runId, `bench/${sequence}`), headHash)
        headHash = line.hash
        return line
      })
      const append: Append = { runId: facts.runId, expectedSequence, epoch: 1, lines, headHash, snapshot }
      await Effect.runPromise(ledger.append(append))
    },
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await pool.end()
    }
  }
}
