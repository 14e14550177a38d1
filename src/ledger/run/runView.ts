/** What a run looks like after its lines: a pure fold, the same at every replay. Keys of `data`: eventData.ts. */
import type { AnyMachineSnapshot } from "xstate"
import type { Assertion } from "../../../schema/Assertion.ts"
import type { StageState } from "../../../schema/JourneyRun.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { isTerminal, type RunStatus } from "../../../schema/RunReport.ts"
import type { RunFacts, RunView } from "../Ledger.ts"
import type {
  CheckpointRequested,
  InboundReceived,
  RecoveryApplied,
  RecoveryOffered,
  RunCreated,
  RunEnded,
  WaitStarted
} from "./eventData.ts"
import { addCounts, dropCounts, recordedIn, summaryOf, verdictOf } from "./verdict.ts"

/** Before the first line. */
export const emptyView = (facts: RunFacts): RunView => ({
  status: "queued",
  verdict: null,
  summary: summaryOf({}),
  progress: { done: 0, of: 0 },
  stageId: null,
  stages: [],
  recoveryVersion: 0,
  recoveryOptions: [],
  waitingFor: null,
  machine: { value: "queued", tags: [] },
  successorRunId: null,
  lastSequence: 0,
  startedAt: null,
  finishedAt: null,
  updatedAt: facts.createdAt,
  counts: {}
})

/** The view after one more line; `machine` is the run's machine after it heard that line. */
export function viewAfter(
  view: RunView,
  facts: RunFacts,
  event: LedgerEvent,
  machine: AnyMachineSnapshot
): RunView {
  const status = statusOfState(machine.value)
  const terminal = isTerminal(status)
  const counts = countsAfter(view, event)
  const stages = stagesAfter(view, event, terminal)
  const changed = counts !== view.counts
  return {
    ...view,
    status,
    stages,
    counts,
    summary: changed ? summaryOf(counts) : view.summary,
    progress: progressAfter(view, facts, event, stages, counts),
    stageId: terminal ? null : stageAfter(view, event, stages),
    waitingFor: terminal ? null : waitingAfter(view, event),
    ...recoveryAfter(view, event, status),
    machine: { value: machine.value, tags: [...machine.tags].sort() },
    verdict: terminal ? (view.verdict ?? verdictOf(counts, cutShort(event, status))) : null,
    lastSequence: event.sequence,
    startedAt: view.startedAt ?? (event.type === "run.started" ? event.occurredAt : null),
    finishedAt: terminal ? (view.finishedAt ?? event.occurredAt) : null,
    updatedAt: event.occurredAt
  }
}

/** The status of a machine state: the name of its top-level state. */
export const statusOfState = (value: unknown): RunStatus =>
  (typeof value === "string" ? value : Object.keys(value as object)[0]) as RunStatus

/** An assertion as it stands: of the last time that its stage was run. */
export interface StandingAssertion {
  /** Stage or module; empty when the line names neither. */
  readonly group: string
  readonly assertion: Assertion
}

/** The assertions that count, in the order in which they were recorded: the same ones that `counts` counts. */
export function standingAssertions(events: ReadonlyArray<LedgerEvent>): ReadonlyArray<StandingAssertion> {
  let standing: ReadonlyArray<StandingAssertion> = []
  for (const event of events) {
    if (runsAgain(event)) standing = standing.filter(({ group }) => group !== event.stageId)
    if (event.assertions.length === 0) continue
    standing = [
      ...standing,
      ...event.assertions.map((assertion) => ({ group: groupOf(event, assertion), assertion }))
    ]
  }
  return standing
}

/** A stage that is started anew, or skipped with assertions of its own, forgets what was recorded for it before. */
const runsAgain = (event: LedgerEvent) =>
  event.stageId !== undefined &&
  (event.type === "stage.started" || (event.type === "stage.skipped" && event.assertions.length > 0))

const groupOf = (event: LedgerEvent, assertion: Assertion) => event.stageId ?? assertion.module ?? ""

function countsAfter(view: RunView, event: LedgerEvent): RunView["counts"] {
  let counts = view.counts
  if (runsAgain(event) && counts[event.stageId!] !== undefined) counts = dropCounts(counts, event.stageId!)
  for (const assertion of event.assertions) counts = addCounts(counts, groupOf(event, assertion), [assertion])
  return counts
}

const stateAfter: Partial<Record<LedgerEvent["type"], StageState>> = {
  "stage.started": "active",
  "wait.started": "waiting",
  "wait.satisfied": "active",
  "wait.expired": "active",
  "checkpoint.requested": "waiting",
  "checkpoint.answered": "active",
  "stage.completed": "completed",
  "stage.failed": "failed",
  "stage.skipped": "skipped"
}

function stagesAfter(view: RunView, event: LedgerEvent, terminal: boolean): RunView["stages"] {
  if (event.type === "run.created") {
    return dataOf<RunCreated>(event).stages?.map((id) => ({ id, state: "pending" as const })) ?? []
  }
  const state = stateAfter[event.type]
  if (state !== undefined && event.stageId !== undefined) {
    const { stageId } = event
    return view.stages.some(({ id }) => id === stageId)
      ? view.stages.map((stage) => (stage.id === stageId ? { id: stageId, state } : stage))
      : [...view.stages, { id: stageId, state }]
  }
  // A run that is over has nothing under way: what it did not bring to an end counts as passed over.
  return terminal && view.stages.some(isOpen)
    ? view.stages.map((stage) => (isOpen(stage) ? { ...stage, state: "skipped" as const } : stage))
    : view.stages
}

const isOpen = (stage: RunView["stages"][number]) => stage.state === "active" || stage.state === "waiting"
const hasEnded = (stage: RunView["stages"][number]) => stage.state !== "pending" && !isOpen(stage)

function stageAfter(view: RunView, event: LedgerEvent, stages: RunView["stages"]): string | null {
  const named =
    event.stageId !== undefined && stages.some((stage) => stage.id === event.stageId && isOpen(stage))
  if (named && event.type in stateAfter) return event.stageId!
  const current = stages.find(({ id }) => id === view.stageId)
  if (current !== undefined && isOpen(current)) return current.id
  return stages.find(isOpen)?.id ?? null
}

function progressAfter(
  view: RunView,
  facts: RunFacts,
  event: LedgerEvent,
  stages: RunView["stages"],
  counts: RunView["counts"]
): RunView["progress"] {
  const of = event.type === "run.created" ? (dataOf<RunCreated>(event).of ?? stages.length) : view.progress.of
  const done = facts.kind === "conformance" ? recordedIn(counts) : stages.filter(hasEnded).length
  return { done: Math.min(done, of), of }
}

function waitingAfter(view: RunView, event: LedgerEvent): RunView["waitingFor"] {
  switch (event.type) {
    case "wait.started": {
      const {
        deadline = "",
        expects,
        instruction = "",
        nearMisses = [],
        party = "partner"
      } = dataOf<WaitStarted>(event)
      return { party, instruction, deadline, nearMisses, ...(expects === undefined ? {} : { expects }) }
    }
    case "checkpoint.requested": {
      const { answers = [], deadline = "", expects, instruction = "" } = dataOf<CheckpointRequested>(event)
      const how = expects === undefined ? {} : { expects }
      return { party: "operator", instruction, deadline, nearMisses: [], answers, ...how }
    }
    case "inbound.received": {
      const { nearMiss } = dataOf<InboundReceived>(event)
      return nearMiss === undefined || view.waitingFor === null
        ? view.waitingFor
        : { ...view.waitingFor, nearMisses: [...view.waitingFor.nearMisses, nearMiss] }
    }
    case "wait.satisfied":
    case "wait.expired":
    case "checkpoint.answered":
    case "stage.started":
    case "stage.completed":
    case "stage.failed":
    case "stage.skipped":
      return null
    default:
      return view.waitingFor
  }
}

function recoveryAfter(view: RunView, event: LedgerEvent, status: RunStatus) {
  const offered = event.type === "recovery.offered" ? dataOf<RecoveryOffered>(event) : undefined
  const { successorRunId } =
    event.type === "recovery.applied" || event.type === "run.cancelled"
      ? dataOf<Pick<RecoveryApplied | RunEnded, "successorRunId">>(event)
      : {}
  const options = offered?.options ?? view.recoveryOptions
  return {
    recoveryVersion:
      offered === undefined ? view.recoveryVersion : (offered.version ?? view.recoveryVersion + 1),
    recoveryOptions: status === "interrupted" && event.type !== "run.interrupted" ? options : [],
    // The runner made the id; the ledger keeps it as it came.
    successorRunId:
      successorRunId === undefined ? view.successorRunId : (successorRunId as RunView["successorRunId"])
  }
}

const cutShort = (event: LedgerEvent, status: RunStatus) =>
  status !== "completed" || dataOf<RunEnded>(event).cutShort === true

/** Our own lines; a key may still be missing in what an older release wrote. */
const dataOf = <A>(event: LedgerEvent): Partial<A> => (event.data ?? {}) as Partial<A>
