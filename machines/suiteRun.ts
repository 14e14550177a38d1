/**
 * A conformance run as a machine: which stage is graded next, and what a run in each state may still do.
 *
 * Its events are ledger lines. A run never repeats a write whose outcome is unknown, so one that lost its worker goes on
 * by itself: `run.interrupted` and `run.resumed` follow each other, and an unfinished stage is graded again.
 * States, events and invariants: SPEC-suiteRun.md.
 */
import { assign, setup } from "xstate"
import type { UnnumberedEvent } from "../schema/LedgerEvent.ts"
import { noProgress, progressAfter, type RunProgress } from "./runProgress.ts"

/** Input of the suite machine. */
interface SuiteRunInput {
  /** Stages in grading order: a module such as `tokens`, or one of its phases such as `tokens.write`. */
  readonly stages: ReadonlyArray<string>
}

/** Serialisable as plain JSON. */
export interface SuiteRunContext {
  readonly stages: ReadonlyArray<string>
  readonly done: ReadonlyArray<string>
  readonly progress: RunProgress
}

/** The actions that the machine requests of the runner. */
export type SuiteRunAction =
  | { readonly type: "begin" | "conclude" | "stop" }
  | { readonly type: "runModule"; readonly params: { readonly stageId: string } }

const remaining = ({ stages, done }: SuiteRunContext) => stages.filter((stage) => !done.includes(stage))

const waits = {
  "wait.started": { actions: "follow" },
  "wait.satisfied": { actions: "follow" },
  "wait.expired": { actions: "follow" }
} as const

/** The machine of a conformance run. */
export const suiteRun = setup({
  types: {
    // XState takes its types as values.
    context: {} as SuiteRunContext,
    input: {} as SuiteRunInput,
    events: {} as UnnumberedEvent,
    tags: {} as "healthy" | "terminal"
  },
  guards: {
    nothingLeft: ({ context }) => remaining(context).length === 0
  },
  actions: {
    /** Asks the runner to start. */
    begin: () => {},
    /** Asks the runner to gather evidence for a module and to grade it. */
    runModule: (_, _params: { readonly stageId: string }) => {},
    /** Asks the runner to close the run: every module is graded. */
    conclude: () => {},
    /** Asks the runner to stop at the next safe point. */
    stop: () => {},
    /** Runs for each accepted event. */
    follow: assign({ progress: ({ context, event }) => progressAfter(context.progress, event) }),
    markDone: assign({
      done: ({ context, event }) =>
        event.stageId === undefined || context.done.includes(event.stageId)
          ? context.done
          : [...context.done, event.stageId]
    })
  }
}).createMachine({
  id: "suiteRun",
  context: ({ input }) => ({ stages: input?.stages ?? [], done: [], progress: noProgress }),
  initial: "queued",
  states: {
    queued: {
      tags: ["healthy"],
      on: {
        "run.created": { actions: ["follow", "begin"] },
        "run.resumed": { actions: ["follow", "begin"] },
        "run.started": { target: "running", actions: "follow" },
        "cancel.requested": { target: "cancelling", actions: "follow" },
        "run.failed": { target: "failed", actions: "follow" }
      }
    },
    running: {
      tags: ["healthy"],
      initial: "deciding",
      states: {
        deciding: {
          always: [{ guard: "nothingLeft", target: "concluding" }, { target: "grading" }]
        },
        grading: {
          entry: {
            type: "runModule",
            params: ({ context }) => ({ stageId: remaining(context)[0] ?? "" })
          },
          on: {
            "stage.completed": { target: "deciding", actions: ["follow", "markDone"] },
            "stage.failed": { target: "deciding", actions: ["follow", "markDone"] },
            "stage.skipped": { target: "deciding", actions: ["follow", "markDone"] }
          }
        },
        concluding: { entry: "conclude" }
      },
      on: {
        "stage.started": { actions: "follow" },
        ...waits,
        // After a release and a new claim: request the unfinished stage again.
        "run.resumed": { target: ".deciding", actions: "follow" },
        "cancel.requested": { target: "cancelling", actions: "follow" },
        "run.interrupted": { target: "interrupted", actions: "follow" },
        "run.completed": { target: "completed", actions: "follow" },
        "run.failed": { target: "failed", actions: "follow" }
      }
    },
    interrupted: {
      on: {
        "run.resumed": {
          target: "running",
          actions: "follow",
          meta: {
            label: "Go on",
            description: "Grades the unfinished stages again; only reads and idempotent writes are repeated."
          }
        },
        "cancel.requested": { target: "cancelling", actions: "follow" },
        "run.failed": { target: "failed", actions: "follow" }
      }
    },
    cancelling: {
      tags: ["healthy"],
      entry: "stop",
      on: {
        ...waits,
        "run.resumed": { actions: ["follow", "stop"] },
        "stage.completed": { actions: ["follow", "markDone"] },
        "stage.failed": { actions: ["follow", "markDone"] },
        "stage.skipped": { actions: ["follow", "markDone"] },
        "run.cancelled": { target: "cancelled", actions: "follow" },
        "run.completed": { target: "completed", actions: "follow" },
        "run.failed": { target: "failed", actions: "follow" }
      }
    },
    completed: { tags: ["healthy", "terminal"], type: "final" },
    cancelled: { tags: ["healthy", "terminal"], type: "final" },
    failed: { tags: ["healthy", "terminal"], type: "final" }
  }
})
