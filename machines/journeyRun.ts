/**
 * One journey run. Pure: its events are ledger events, its actions request work. The run's actor performs the work, appends
 * what happened, and sends the appended events to the machine. See SPEC.md for the table and the invariants.
 */
import type { Decision } from "../schema/Recovery.ts"
import { currentStage, type JourneyRunContext } from "./journeyRunContext.ts"
import { journeyRunSetup, stageParams } from "./journeyRunSetup.ts"
import { noProgress } from "./runProgress.ts"

/** Stored in the plan of each run: a run that began with another version of the machine is refused. */
export const journeyRunVersion = 1

const freshStage = { type: "runStage", params: stageParams("fresh") } as const
const resumedStage = { type: "runStage", params: stageParams("resume") } as const
const cleanUp = {
  type: "cleanUp",
  params: ({ context }: { readonly context: JourneyRunContext }) => ({ decision: context.decision })
} as const
const recover = {
  type: "recover",
  params: ({ context }: { readonly context: JourneyRunContext }) => ({
    decision: context.decision ?? ("finish" as Decision),
    stageId: currentStage(context)?.id ?? null
  })
} as const
const interrupted = { target: "interrupted", actions: ["follow", "interrupt"] } as const
const stop = { target: "cancelling", actions: ["follow", "askToStop", cleanUp] } as const
const goesOn = { target: "#journeyRun.running", actions: "follow" } as const
const failed = { target: "failed", actions: "follow" } as const
const nextStage = [
  { guard: "isLast", target: "running", actions: ["follow", "advance", "finishRun"] },
  { guard: "isCurrent", target: "running", actions: ["follow", "advance", freshStage] }
] as const
const takenUp = [
  { guard: "nothingOpenAllDone", target: "running", actions: ["follow", "finishRun"] },
  { guard: "nothingOpen", target: "running", actions: ["follow", resumedStage] }
] as const
const evidence = {
  "exchange.intended": { actions: ["follow", "intended"] },
  "exchange.completed": { actions: ["follow", "completed"] },
  "inbound.received": { actions: ["follow", "heard"] },
  "assertions.recorded": { actions: ["follow", "graded"] }
} as const

const choice = <D extends Decision>(decision: D, label: string, description: string) =>
  ({
    guard: { type: "offers", params: { decision } },
    target: "recovering",
    actions: ["follow", { type: "decide", params: { decision } }, recover],
    meta: { label, description }
  }) as const

/**
 * The journey machine. Tag `healthy`: the run needs no decision; `waiting`: it waits for the partner, the clock or an
 * operator.
 */
export const journeyRun = journeyRunSetup.createMachine({
  id: "journeyRun",
  context: ({ input }) => ({
    stages: input.stages,
    index: 0,
    attempts: {},
    open: [],
    graded: {},
    inboundCount: 0,
    recoveries: 0,
    recoveryVersion: 0,
    offered: false,
    decision: null,
    stopAsked: false,
    progress: noProgress
  }),
  initial: "queued",
  states: {
    queued: {
      tags: ["healthy"],
      on: {
        "run.created": { actions: ["follow", "begin"] },
        "run.started": { target: "running", actions: ["follow", freshStage] },
        "run.resumed": { actions: ["follow", "begin"] },
        "run.interrupted": interrupted,
        "cancel.requested": stop,
        "run.failed": failed
      }
    },
    running: {
      tags: ["healthy"],
      on: {
        ...evidence,
        "stage.started": { guard: "isCurrent", actions: ["follow", "started"] },
        "stage.completed": nextStage,
        "stage.failed": nextStage,
        "stage.skipped": nextStage,
        "wait.started": [
          { guard: "awaitsClock", target: "waiting.clock", actions: "follow" },
          { target: "waiting.partner", actions: "follow" }
        ],
        "checkpoint.requested": { target: "waiting.operator", actions: "follow" },
        "run.resumed": takenUp,
        "run.completed": { guard: "allDone", target: "completed", actions: "follow" },
        "run.interrupted": interrupted,
        "cancel.requested": stop,
        "run.failed": failed
      }
    },
    waiting: {
      tags: ["healthy", "waiting"],
      on: {
        "inbound.received": { actions: ["follow", "heard"] },
        "wait.expired": { target: "running", actions: "follow" },
        "run.resumed": takenUp,
        "run.interrupted": interrupted,
        "cancel.requested": stop,
        "run.failed": failed
      },
      initial: "partner",
      states: {
        partner: { on: { "wait.satisfied": goesOn } },
        clock: { on: { "wait.satisfied": goesOn } },
        // Only an operator's answer ends this wait.
        operator: { on: { "checkpoint.answered": goesOn } }
      }
    },
    interrupted: {
      on: {
        "recovery.offered": { actions: ["follow", "offer"] },
        "recovery.applied": [
          choice("resume", "Resume", "Go on after the last recorded step."),
          choice(
            "verify_and_resume",
            "Verify, then resume",
            "Read at the partner what became of the write whose answer was lost, record it, and go on."
          ),
          choice("retry_stage", "Retry the stage", "Run the interrupted stage again from its beginning."),
          choice("skip_stage", "Skip the stage", "Leave the interrupted stage ungraded and go on."),
          choice("restart_as_new", "Restart as a new run", "Clean up, close this run and start a new one."),
          choice("finish", "Finish now", "Stop here and grade what is recorded."),
          {
            guard: { type: "offers", params: { decision: "abandon" } },
            target: "cancelling",
            actions: ["follow", { type: "decide", params: { decision: "abandon" } }, cleanUp],
            meta: {
              label: "Abandon",
              description: "Clean up at the partner and close the run as cancelled."
            }
          }
        ],
        "inbound.received": { actions: ["follow", "heard"] },
        "cancel.requested": stop,
        "run.failed": failed
      }
    },
    recovering: {
      tags: ["healthy"],
      on: {
        ...evidence,
        "stage.skipped": [
          {
            guard: { type: "skipsLast", params: { decision: "skip_stage" } },
            target: "running",
            actions: ["follow", "advance", "finishRun"]
          },
          {
            guard: { type: "skipsCurrent", params: { decision: "skip_stage" } },
            target: "running",
            actions: ["follow", "advance", freshStage]
          },
          { guard: { type: "skipsCurrent", params: { decision: "finish" } }, actions: ["follow", "advance"] }
        ],
        "run.resumed": [
          {
            guard: { type: "decided", params: { decision: "retry_stage" } },
            target: "running",
            actions: ["follow", freshStage]
          },
          { guard: "mayRunOnAllDone", target: "running", actions: ["follow", "finishRun"] },
          { guard: "mayRunOn", target: "running", actions: ["follow", resumedStage] }
        ],
        "run.completed": {
          guard: { type: "decided", params: { decision: "finish" } },
          target: "completed",
          actions: "follow"
        },
        "run.cancelled": {
          guard: { type: "decided", params: { decision: "restart_as_new" } },
          target: "cancelled",
          actions: "follow"
        },
        "run.interrupted": interrupted,
        "cancel.requested": stop,
        "run.failed": failed
      }
    },
    cancelling: {
      tags: ["healthy"],
      on: {
        ...evidence,
        "run.resumed": { guard: "nothingOpen", actions: ["follow", cleanUp] },
        "run.cancelled": { target: "cancelled", actions: "follow" },
        "run.interrupted": interrupted,
        "run.failed": failed
      }
    },
    completed: { type: "final", tags: ["healthy", "terminal"] },
    cancelled: { type: "final", tags: ["healthy", "terminal"] },
    failed: { type: "final", tags: ["healthy", "terminal"] }
  }
})
