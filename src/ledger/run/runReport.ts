/** The API's views of a run's row. Pure. */
import { Option, Schema } from "effect"
import type { JourneyRunStatus } from "../../../schema/JourneyRun.ts"
import { SuitePlan } from "../../../schema/ledger/SuitePlan.ts"
import { isTerminal, type RunKind, type RunReport } from "../../../schema/RunReport.ts"
import type { RunFacts, RunRow, RunView } from "../Ledger.ts"

const reported = Schema.decodeUnknownOption(SuitePlan.pick("profile", "notJudged"))
const ordered = Schema.decodeUnknownOption(
  SuitePlan.pick("profile", "selection", "needs", "listenSeconds", "accept")
)

/** What a report says of the plan of its run; nothing of a plan that this release cannot read. */
const reportedOf = (plan: unknown) => ({
  ...Option.getOrElse(reported(plan), () => ({})),
  ...Option.match(ordered(plan), {
    onNone: () => ({}),
    onSome: ({ selection, ...order }) => ({ order: { ...selection, ...order } })
  })
})

/** What a report says of the order of its run, by the kind of run. */
const orderOf: Readonly<Record<RunKind, (facts: RunFacts) => Partial<RunReport>>> = {
  conformance: ({ plan, subjectId }) => ({ suiteId: subjectId, ...reportedOf(plan) }),
  journey: ({ subjectId }) => ({ templateId: subjectId })
}

/** The graded report; `revision` is the last sequence. */
export function reportOf(row: RunRow): RunReport {
  const { facts } = row
  const { view } = row.snapshot
  return {
    _id: facts.reportId,
    runId: facts.runId,
    kind: facts.kind,
    ocpiVersion: facts.ocpiVersion,
    connectionId: facts.connectionId,
    connectionLabel: facts.connectionLabel,
    ...orderOf[facts.kind](facts),
    status: view.status,
    verdict: view.verdict,
    summary: view.summary,
    progress: view.progress,
    stateSince: stateSinceOf(view),
    ...(view.waitingFor === null || isTerminal(view.status) ? {} : { waitingFor: view.waitingFor }),
    revision: view.lastSequence,
    startedAt: view.startedAt,
    finishedAt: view.finishedAt,
    createdAt: facts.createdAt
  }
}

/** Since when a run is in its state; of one that an earlier release wrote last, since its last event. */
const stateSinceOf = ({ stateSince, updatedAt }: RunView): string => stateSince ?? updatedAt

/** What of a row decides whether the run's worker is healthy. */
export interface WorkerState extends Pick<RunRow, "leaseAlive" | "released"> {
  readonly snapshot: { readonly view: Pick<RunView, "status" | "machine"> }
}

/**
 * True while the lease is valid, and for runs that need no worker: queued, over, or waiting with the lease given back.
 * False while the machine's state lacks the tag `healthy`.
 */
export function workerHealthy({ leaseAlive, released, snapshot }: WorkerState): boolean {
  const { machine, status } = snapshot.view
  if (status === "queued" || isTerminal(status)) return true
  return machine.tags.includes("healthy") && (leaseAlive || (status === "waiting" && released))
}

/** The status of a journey run. `waitingFor` is set only while the run waits. */
export function statusOf(row: RunRow, healthy: boolean = workerHealthy(row)): JourneyRunStatus {
  const { facts } = row
  const { view } = row.snapshot
  return {
    runId: facts.runId,
    reportId: facts.reportId,
    status: view.status,
    recoveryVersion: view.recoveryVersion,
    recoveryOptions: view.recoveryOptions,
    workerHealthy: healthy,
    verdict: view.verdict,
    connectionId: facts.connectionId,
    templateId: facts.subjectId,
    stageId: view.stageId,
    stages: view.stages,
    lastSequence: view.lastSequence,
    waitingFor: view.status === "waiting" ? view.waitingFor : null,
    machine: view.machine,
    predecessorRunId: facts.predecessorRunId,
    successorRunId: view.successorRunId,
    createdAt: facts.createdAt,
    updatedAt: view.updatedAt,
    stateSince: stateSinceOf(view)
  }
}
