/**
 * The progress of a run as its views show it: the state of each stage, what the run waits for, which decisions are offered.
 * Both run machines keep it in their context; the console and the command line fold the events that they follow with it. Pure.
 */
import type { StageState } from "../schema/JourneyRun.ts"
import type { UnnumberedEvent } from "../schema/LedgerEvent.ts"
import type { RecoveryOption } from "../schema/Recovery.ts"
import type { WaitingFor } from "../schema/WaitingFor.ts"

/** The progress of a run. */
export interface RunProgress {
  /** The stages in the order of the plan. At most one of them is `active` or `waiting`. */
  readonly stages: ReadonlyArray<{ readonly id: string; readonly state: StageState }>
  readonly waitingFor: WaitingFor | null
  /** The waits under way that have a step: those of a suite, which may be several. Absent when there are none. */
  readonly waits?: ReadonlyArray<WaitOfStep>
  /** Recommended first; empty outside `interrupted`. */
  readonly recoveryOptions: ReadonlyArray<RecoveryOption>
  /** The run that was started in place of this one. */
  readonly successorRunId: string | null
}

interface WaitOfStep {
  /** `probe#step`. */
  readonly step: string
  readonly waitingFor: WaitingFor
}

/** The progress of a run before its first event. */
export const noProgress: RunProgress = {
  stages: [],
  waitingFor: null,
  recoveryOptions: [],
  successorRunId: null
}

/** How many stages have ended. */
export const stagesEnded = ({ stages }: RunProgress): number =>
  stages.filter(({ state }) => state === "completed" || state === "failed" || state === "skipped").length

/** The id of the stage that is `active` or `waiting`. */
export const stageUnderWay = ({ stages }: RunProgress): string | null => stages.find(isUnderWay)?.id ?? null

/**
 * The progress after one more event. The switch is exhaustive: a new event type must be added here to compile. The console may
 * read a ledger that a later release wrote: an event of a type that it does not know changes nothing.
 */
export function progressAfter(progress: RunProgress, event: UnnumberedEvent): RunProgress {
  switch (event.type) {
    case "run.created":
      return { ...progress, stages: event.data.stages.map((id) => ({ id, state: "pending" })) }
    case "stage.started":
      return stageIs(progress, event.stageId, "active")
    case "stage.completed":
      return stageIs(progress, event.stageId, "completed")
    case "stage.failed":
      return stageIs(progress, event.stageId, "failed")
    case "stage.skipped":
      return stageIs(progress, event.stageId, "skipped")
    case "wait.started": {
      const { deadline, expects, instruction, nearMisses = [], party, since, step } = event.data
      const how = {
        ...(since === undefined ? {} : { since }),
        ...(expects === undefined ? {} : { expects })
      }
      const waitingFor = { party, instruction, deadline, nearMisses, ...how }
      return step === undefined
        ? stageIs(progress, event.stageId, "waiting", waitingFor)
        : waitingIn(progress, event.stageId, [...(progress.waits ?? []), { step, waitingFor }])
    }
    case "checkpoint.requested": {
      const { answers, deadline, expects, instruction } = event.data
      const how = { answers, ...(expects === undefined ? {} : { expects }) }
      const waitingFor = { party: "operator", instruction, deadline, nearMisses: [], ...how } as const
      return stageIs(progress, event.stageId, "waiting", waitingFor)
    }
    case "wait.satisfied":
    case "wait.expired": {
      const step = event.data?.step
      const others = (progress.waits ?? []).filter((wait) => wait.step !== step)
      return waitingIn(progress, event.stageId, step === undefined ? [] : others)
    }
    case "checkpoint.answered":
      return stageIs(progress, event.stageId, "active")
    case "inbound.received": {
      const { waitingFor } = progress
      const nearMiss = event.data?.nearMiss
      return nearMiss === undefined || waitingFor === null
        ? progress
        : { ...progress, waitingFor: { ...waitingFor, nearMisses: [...waitingFor.nearMisses, nearMiss] } }
    }
    case "recovery.offered":
      return { ...progress, recoveryOptions: event.data.options }
    case "recovery.applied":
      return decided(progress, event.data.successorRunId)
    case "run.interrupted":
    case "run.resumed":
    case "cancel.requested":
      return decided(progress)
    case "run.cancelled":
      return ended(decided(progress, event.data?.successorRunId))
    case "run.completed":
    case "run.failed":
      return ended(progress)
    case "run.started":
    case "exchange.intended":
    case "exchange.completed":
    case "assertions.recorded":
      return progress
    default:
      event satisfies never
      return progress
  }
}

/** The stage waits as long as one of these waits goes on; the one that may last longest is shown. */
function waitingIn(progress: RunProgress, stageId: string, waits: ReadonlyArray<WaitOfStep>): RunProgress {
  const [longest] = waits.toSorted((a, b) => (a.waitingFor.deadline < b.waitingFor.deadline ? 1 : -1))
  return longest === undefined
    ? stageIs(progress, stageId, "active")
    : { ...stageIs(progress, stageId, "waiting", longest.waitingFor), waits }
}

const isUnderWay = ({ state }: RunProgress["stages"][number]) => state === "active" || state === "waiting"

const stageIs = (
  progress: RunProgress,
  stageId: string,
  state: StageState,
  waitingFor: WaitingFor | null = null
): RunProgress => {
  const { waits: _, ...rest } = progress
  return {
    ...rest,
    stages: progress.stages.some(({ id }) => id === stageId)
      ? progress.stages.map((stage) => (stage.id === stageId ? { id: stageId, state } : stage))
      : [...progress.stages, { id: stageId, state }],
    waitingFor
  }
}

/** Withdraws the offered decisions. */
function decided(progress: RunProgress, successorRunId = progress.successorRunId): RunProgress {
  return progress.recoveryOptions.length === 0 && successorRunId === progress.successorRunId
    ? progress
    : { ...progress, recoveryOptions: [], successorRunId }
}

/** The progress of a run that is over: an unfinished stage counts as skipped. */
const ended = ({ waits: _, ...progress }: RunProgress): RunProgress => ({
  ...progress,
  recoveryOptions: [],
  waitingFor: null,
  stages: progress.stages.some(isUnderWay)
    ? progress.stages.map((stage) => (isUnderWay(stage) ? { ...stage, state: "skipped" } : stage))
    : progress.stages
})
