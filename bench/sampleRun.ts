/**
 * A typical run: a journey of eleven stages half-way, with its real machine and view. Its lines have about 1 KB, its
 * snapshot about 3.5 KB.
 */
import type { StagePlan } from "../machines/journeyRunContext.ts"
import { ConnectionId, OwnerId, ReportId, RunId } from "../schema/Ids.ts"
import type { LedgerEvent } from "../schema/LedgerEvent.ts"
import { journeyKind as playedKind } from "../src/journeys/recovery/journeyKind.ts"
import type { Append, RunFacts } from "../src/ledger/Ledger.ts"
import { type Folded, foldEvent, foldStart, snapshotOf } from "../src/ledger/run/foldRun.ts"
import { eventIdOf, genesisOf, lineOf } from "../src/ledger/run/ledgerLine.ts"
import type { RunKindOf } from "../src/ledger/run/RunKind.ts"

const subjectId = "remote-start"
const stages: ReadonlyArray<StagePlan> = [
  "read-locations",
  "push-token",
  "start-session",
  "start-result",
  "session-active",
  "session-updates",
  "stop-session",
  "stop-result",
  "session-completed",
  "cdr",
  "consistency"
].map((id) => ({
  id,
  name: `The stage ${id}`,
  act: "exchange",
  writes: true,
  idempotent: false,
  readBack: true,
  optionalForLater: false,
  sends: ["POST commands/START_SESSION"]
}))
const journeyKind: RunKindOf = { ...playedKind, input: () => ({ stages }), options: () => [] }
const occurredAt = "2026-01-01T00:00:00.000Z"
/** JSON with quotes, because escaping them is part of the cost. */
const exchange = Array.from({ length: 14 }, (_, n) => ({ name: `header-${n}`, value: "v".repeat(24) }))

let made = 0

/** The facts of a new run. */
export function newFacts(): RunFacts {
  made += 1
  // In the form of `newId`, so that its lines are in the partition of this month.
  const counted = `${process.hrtime.bigint().toString(16)}${made.toString(16).padStart(6, "0")}`
  const id = `a${Date.now().toString(16).padStart(12, "0")}7${counted.slice(-19).padStart(19, "0")}`
  const runId = RunId.make(`run_${id}`)
  return {
    runId,
    reportId: ReportId.make(`rep_${id}`),
    ownerId: OwnerId.make("own_bench"),
    kind: "journey",
    connectionId: ConnectionId.make("conn_bench"),
    connectionLabel: "bench",
    ocpiVersion: "2.2.1",
    subjectId: subjectId,
    plan: {
      runId,
      templateId: subjectId,
      planVersion: "bench",
      machineVersion: 1,
      createdAt: occurredAt,
      ocpiVersion: "2.2.1",
      inputs: {},
      us: { countryCode: "DE", partyId: "PFT", name: "bench" },
      inboundFrom: 0,
      stages
    },
    predecessorRunId: null,
    createdAt: occurredAt
  }
}

/** The same for every run, so made once, outside the measurement. */
let halves: ReturnType<typeof halfWay> | undefined
const folded = (facts: RunFacts) => {
  halves ??= halfWay(facts)
  return halves
}

/** The fold of a run's lines, at its start and in the middle of its stages. */
function halfWay(facts: RunFacts): { readonly start: Folded; readonly middle: Folded } {
  const event = (type: LedgerEvent["type"], more: object = {}) =>
    ({ sequence: 1, type, occurredAt, assertions: [], ...more }) as LedgerEvent
  const created = event("run.created", { data: { stages: stages.map(({ id }) => id) } })
  const start = foldEvent(journeyKind, foldStart(journeyKind, facts).folded, created).folded
  let middle = foldEvent(journeyKind, start, event("run.started")).folded
  for (const { id } of stages.slice(0, 5)) {
    for (const type of ["stage.started", "assertions.recorded", "stage.completed"] as const) {
      const passed = { id: `${id}.ok`, title: "Answers as it must", strength: "must", outcome: "passed" }
      // Only what the fold counts.
      const assertions = type === "assertions.recorded" ? [passed, passed, passed] : []
      const more = { stageId: id, assertions }
      middle = foldEvent(journeyKind, middle, event(type, more)).folded
    }
  }
  return { start, middle }
}

/** The appends of a run, one line each; the first one creates the run. */
export function appendsOf(facts: RunFacts, data: () => Record<string, unknown> = () => ({})) {
  const { middle, start } = folded(facts)
  let hash = genesisOf(facts.runId)
  let sequence = 0
  return (): Append => {
    const expectedSequence = sequence
    sequence += 1
    const { machine, view } = expectedSequence === 0 ? start : middle
    // Of the same size whatever its type, with the caller's own data.
    const event = {
      sequence,
      type: expectedSequence === 0 ? "run.created" : "exchange.completed",
      occurredAt,
      stageId: "session-updates",
      assertions: [],
      data: { ...data(), exchange },
      machine: machine.value
    } as unknown as LedgerEvent
    const line = lineOf(event, eventIdOf(facts.runId, `session-updates/1/exchange/${sequence}`), hash)
    hash = line.hash
    const snapshot = snapshotOf({ machine, view: { ...view, lastSequence: sequence } })
    return { runId: facts.runId, expectedSequence, epoch: 1, lines: [line], headHash: hash, snapshot }
  }
}
