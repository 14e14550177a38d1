/** The view of a run: its machine's progress, and counts. Pure, and the same at every replay. */
import type { StateValue } from "xstate"
import { countsAfter, groupOf, runsAgain, summaryOf, verdictOf } from "../../../machines/runCounts.ts"
import { stageUnderWay } from "../../../machines/runProgress.ts"
import type { Assertion } from "../../../schema/Assertion.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { isTerminal, type RunStatus } from "../../../schema/RunReport.ts"
import type { RunFacts, RunView } from "../Ledger.ts"
import type { MachineState } from "./machineTable.ts"
import type { RunKindOf } from "./RunKind.ts"

/** The view before the first line. */
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
  stateSince: facts.createdAt,
  counts: {}
})

/** The view after one more line: the machine's progress, the counts and the times. */
export function viewAfter(
  kind: RunKindOf,
  view: RunView,
  event: LedgerEvent,
  machine: MachineState
): RunView {
  const progress = kind.progress(machine)
  const status = statusIn(kind, machine)
  const terminal = isTerminal(status)
  const counts = countsAfter(view.counts, event)
  const of = event.type === "run.created" ? (event.data.of ?? progress.stages.length) : view.progress.of
  const { recoveryOptions, recoveryVersion, stages, successorRunId, waitingFor } = progress
  return {
    ...view,
    status,
    stages,
    waitingFor,
    recoveryOptions,
    recoveryVersion,
    // The runner made this id; the ledger stores it unchanged.
    successorRunId: successorRunId as RunView["successorRunId"],
    stageId: stageUnderWay(progress),
    counts,
    summary: counts === view.counts ? view.summary : summaryOf(counts),
    progress: { done: Math.min(kind.stepsDone(progress, counts), of), of },
    machine: machine.shown,
    verdict: terminal ? (view.verdict ?? verdictOf(counts, { isCutShort: isCutShort(event, status) })) : null,
    lastSequence: event.sequence,
    startedAt: view.startedAt ?? (event.type === "run.started" ? event.occurredAt : null),
    finishedAt: terminal ? (view.finishedAt ?? event.occurredAt) : null,
    updatedAt: event.occurredAt,
    stateSince: isSameState(view.machine.value, machine.value)
      ? (view.stateSince ?? view.updatedAt)
      : event.occurredAt
  }
}

/** Whether two values of a machine without parallel states are the same: a name, or a name with the value within. */
const isSameState = (before: unknown, after: StateValue | undefined): boolean => {
  if (typeof before !== "object" || before === null || typeof after !== "object") return before === after
  const [[name, inner] = []] = Object.entries(before)
  return name !== undefined && name in after && isSameState(inner, after[name])
}

function statusIn({ statuses }: RunKindOf, { value }: { readonly value: StateValue }): RunStatus {
  const state = typeof value === "string" ? value : Object.keys(value)[0]
  const status = state === undefined ? undefined : statuses[state]
  if (status === undefined) throw new Error(`no status is declared for the state ${state}`)
  return status
}

/** An assertion of the last time that its stage was run. */
interface StandingAssertion {
  /** Stage or module; empty when the line names neither. */
  readonly group: string
  readonly assertion: Assertion
}

/** The assertions that count, in recorded order: the same ones that `counts` counts. */
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

const isCutShort = (event: LedgerEvent, status: RunStatus) =>
  status !== "completed" || (event.type === "run.completed" && event.data?.cutShort === true)
