/**
 * A conformance run as a machine: which stage is graded next, and what a run in each state may still do.
 *
 * Its events are ledger lines. A run never repeats a write whose outcome is unknown, so one that lost its worker goes on
 * by itself: `run.interrupted` and `run.resumed` follow each other, and an unfinished stage is graded again.
 * States, events and invariants: SPEC-suiteRun.md.
 */
import { assign, setup } from "xstate"
import type { LedgerEventType } from "../schema/LedgerEvent.ts"

/** A ledger line as far as the machine hears it. */
export interface SuiteRunEvent {
  readonly type: LedgerEventType
  readonly stageId?: string
}

export interface SuiteRunInput {
  /** Modules, or their parts that write, watch and risk, in the order in which they are graded. */
  readonly stages: ReadonlyArray<string>
}

/** Plain JSON. */
export interface SuiteRunContext {
  readonly stages: ReadonlyArray<string>
  readonly done: ReadonlyArray<string>
}

const remaining = ({ stages, done }: SuiteRunContext) => stages.filter((stage) => !done.includes(stage))

export const suiteRun = setup({
  types: {
    // XState takes its types as values.
    context: {} as SuiteRunContext,
    input: {} as SuiteRunInput,
    events: {} as SuiteRunEvent,
    tags: {} as "healthy" | "terminal"
  },
  guards: {
    nothingLeft: ({ context }) => remaining(context).length === 0
  },
  actions: {
    /** Asks the runner to gather evidence for a module and to grade it. */
    runModule: (_, _params: { readonly stageId: string }) => {},
    /** Asks the runner to close the run: every module is graded. */
    conclude: () => {},
    /** Asks the runner to stop at the next safe point. */
    stop: () => {},
    markDone: assign({
      done: ({ context, event }) =>
        event.stageId === undefined || context.done.includes(event.stageId)
          ? context.done
          : [...context.done, event.stageId]
    })
  }
}).createMachine({
  id: "suiteRun",
  context: ({ input }) => ({ stages: input?.stages ?? [], done: [] }),
  initial: "queued",
  states: {
    queued: {
      tags: ["healthy"],
      on: {
        "run.started": "running",
        "cancel.requested": "cancelling",
        "run.failed": "failed"
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
            "stage.completed": { target: "deciding", actions: "markDone" },
            "stage.failed": { target: "deciding", actions: "markDone" },
            "stage.skipped": { target: "deciding", actions: "markDone" }
          }
        },
        concluding: { entry: "conclude" }
      },
      on: {
        // Given back in an orderly way and taken up again: what was under way is asked for again.
        "run.resumed": ".deciding",
        "cancel.requested": "cancelling",
        "run.interrupted": "interrupted",
        "run.completed": "completed",
        "run.failed": "failed"
      }
    },
    interrupted: {
      on: {
        "run.resumed": {
          target: "running",
          meta: {
            label: "Go on",
            description:
              "Grades the unfinished stages again; reads and writes that bear repetition are repeated."
          }
        },
        "cancel.requested": "cancelling",
        "run.failed": "failed"
      }
    },
    cancelling: {
      tags: ["healthy"],
      entry: "stop",
      on: {
        "stage.completed": { actions: "markDone" },
        "stage.failed": { actions: "markDone" },
        "stage.skipped": { actions: "markDone" },
        "run.cancelled": "cancelled",
        "run.completed": "completed",
        "run.failed": "failed"
      }
    },
    completed: { tags: ["healthy", "terminal"], type: "final" },
    cancelled: { tags: ["healthy", "terminal"], type: "final" },
    failed: { tags: ["healthy", "terminal"], type: "final" }
  }
})
