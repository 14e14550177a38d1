/** A small machine and runs of it, for the tests of the ledger. */
import { Effect } from "effect"
import { assign, setup } from "xstate"
import { noProgress, progressAfter, type RunProgress, stagesEnded } from "../../../machines/runProgress.ts"
import { ConnectionId, OwnerId, partyOf, ReportId, RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent, LedgerEventType, UnnumberedEvent } from "../../../schema/LedgerEvent.ts"
import type { RecoveryOption } from "../../../schema/Recovery.ts"
import type { Append, EventDraft, Ledger, RunFacts } from "../../../src/ledger/Ledger.ts"
import { foldStart, snapshotOf } from "../../../src/ledger/run/foldRun.ts"
import { genesisOf } from "../../../src/ledger/run/ledgerLine.ts"
import { type OwnedState, prepareLines } from "../../../src/ledger/run/prepareLines.ts"
import { actionsOfTypes, type RunKindOf, type TopStateOf } from "../../../src/ledger/run/RunKind.ts"

export const abandon: RecoveryOption = {
  decision: "abandon",
  label: "Abandon",
  description: "Cleans up and ends the run",
  recommended: true,
  repeats: []
}

interface SampleContext {
  readonly progress: RunProgress
  readonly recoveryVersion: number
}

const to = <State extends string>(target: State) => ({ target, actions: "follow" }) as const
const ended = {
  "run.completed": to("completed"),
  "run.cancelled": to("cancelled"),
  "run.failed": to("failed")
}

const machine = setup({
  types: { context: {} as SampleContext, events: {} as UnnumberedEvent },
  actions: {
    runStage: (_, _params: { readonly stageId: string }) => {},
    follow: assign(({ context, event }) => ({
      progress: progressAfter(context.progress, event),
      recoveryVersion: event.type === "recovery.offered" ? event.data.version : context.recoveryVersion
    }))
  }
}).createMachine({
  id: "sample",
  context: { progress: noProgress, recoveryVersion: 0 },
  initial: "queued",
  // Every line is taken, in whatever state.
  on: { "run.interrupted": to(".interrupted"), "*": { actions: "follow" } },
  states: {
    queued: { tags: ["healthy"], on: { "run.started": to("running") } },
    running: {
      tags: ["healthy"],
      entry: { type: "runStage", params: { stageId: "a" } },
      on: { ...ended, "wait.started": to("waiting") }
    },
    waiting: { tags: ["healthy", "waiting"], on: { ...ended, "wait.satisfied": to("running") } },
    interrupted: { on: { "recovery.applied": to("recovering") } },
    recovering: { tags: ["healthy"], on: { ...ended, "run.resumed": to("running") } },
    completed: { tags: ["terminal"] },
    cancelled: { tags: ["terminal"] },
    failed: { tags: ["terminal"] }
  }
})

export interface SampleAction {
  readonly type: "runStage"
  readonly params: { readonly stageId: string }
}

export const sample: RunKindOf<SampleAction, TopStateOf<typeof machine>> = {
  name: "journey",
  machine,
  isAction: actionsOfTypes<SampleAction>({ runStage: true }),
  statuses: {
    queued: "queued",
    running: "running",
    waiting: "waiting",
    interrupted: "interrupted",
    recovering: "recovering",
    completed: "completed",
    cancelled: "cancelled",
    failed: "failed"
  },
  input: () => ({}),
  progress: ({ context }) => {
    const { progress, recoveryVersion } = context as SampleContext
    return { ...progress, recoveryVersion }
  },
  options: (snapshot) => (snapshot.value === "interrupted" ? [abandon] : []),
  stepsDone: stagesEnded,
  partiesOf: ({ connectionId }) => [partyOf(connectionId)],
  changesRegistration: () => false,
  describe: ({ subjectId }) => ({ name: subjectId, theirRole: null }),
  whyItMatters: () => undefined,
  groupOf: (stageId) => stageId,
  groupName: () => undefined,
  isComparable: false
}

let made = 0
/** Facts of another run; ids grow. */
export const newFacts = (change: Partial<RunFacts> = {}): RunFacts => {
  made += 1
  const id = `${process.hrtime.bigint().toString(36).padStart(16, "0")}${made}`
  return {
    runId: RunId.make(`run_${id}`),
    reportId: ReportId.make(`rep_${id}`),
    ownerId: OwnerId.make("own_1"),
    kind: "journey",
    connectionId: ConnectionId.make("conn_1"),
    connectionLabel: "CPO cpo.example 2.2.1",
    ocpiVersion: "2.2.1",
    subjectId: "remote-start",
    plan: {},
    predecessorRunId: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    ...change
  }
}

/** `data`: whatever the test needs; it may be less than a run would say, or something else. */
export interface DraftMore {
  readonly key?: string
  readonly stageId?: string
  readonly assertions?: LedgerEvent["assertions"]
  readonly data?: object
}

/** A draft; its key is its type unless given. */
export const draft = (type: LedgerEventType, more: DraftMore = {}) =>
  ({ type, key: type, ...more }) as EventDraft

export const created = draft("run.created", { data: { stages: ["a", "b"] } })
export const started = draft("run.started")
export const interrupted = draft("run.interrupted", { data: { reason: "The owner was lost" } })

/** Writes to a ledger directly, as a run's log does, so that a test can hold several writers of one run. */
export const writerOf = (facts: RunFacts, kind: RunKindOf = sample) => {
  const { folded } = foldStart(kind, facts)
  let state: OwnedState = { folded, headHash: genesisOf(facts.runId), events: [], eventIds: new Set() }
  const next = (epoch: number, drafts: ReadonlyArray<EventDraft>): Append => {
    const expectedSequence = state.events.length
    const prepared = prepareLines({ kind, facts }, state, {
      drafts,
      now: "2026-01-01T00:00:01.000Z"
    })
    state = prepared.next
    for (const { eventId } of prepared.lines) state.eventIds.add(eventId)
    const { folded, headHash } = prepared.next
    return {
      runId: facts.runId,
      epoch,
      expectedSequence,
      lines: prepared.lines,
      headHash,
      snapshot: snapshotOf(folded)
    }
  }
  return {
    /** The append of these drafts, to be sent now, later or twice. */
    next,
    create: (ledger: Ledger["Type"], drafts: ReadonlyArray<EventDraft> = [created]) =>
      ledger.create(facts, next(1, drafts))
  }
}

/** A new run in the ledger, with its writer. */
export const newRun = (ledger: Ledger["Type"], change: Partial<RunFacts> = {}) => {
  const facts = newFacts(change)
  const writer = writerOf(facts)
  return Effect.as(writer.create(ledger), { facts, runId: facts.runId, ...writer })
}
