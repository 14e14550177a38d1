/**
 * One journey run. Pure: it hears ledger lines and asks for work; whoever runs it performs the work, writes what
 * happened, and lets it hear the lines. See SPEC.md for the table and the invariants.
 */
import { assign, setup } from "xstate"
import type { Decision } from "../schema/Recovery.ts"
import {
  currentStage,
  type JourneyRunContext,
  type JourneyRunEvent,
  type JourneyRunInput,
  mayDecide,
  type OpenExchange
} from "./journeyRunContext.ts"

/** Stored in the plan of each run: a run is replayed by the machine that it began with, or refused. */
export const journeyRunVersion = 1

/** `resume`: do not repeat what this attempt has recorded. `fresh`: a new attempt. */
export type StageMode = "fresh" | "resume"
export interface StageAsk {
  readonly stageId: string
  readonly attempt: number
  readonly mode: StageMode
}

const isRead = (method: string) => method === "GET" || method === "HEAD"
const gradedOutcomes: ReadonlyArray<string> = ["passed", "failed", "warned"]

const stageAsk =
  (mode: StageMode) =>
  ({ context }: { readonly context: JourneyRunContext }): StageAsk => {
    const stageId = currentStage(context)?.id ?? ""
    const last = context.attempts[stageId] ?? 0
    return { stageId, attempt: mode === "fresh" ? last + 1 : Math.max(last, 1), mode }
  }

const machine = setup({
  types: {
    context: {} as JourneyRunContext,
    events: {} as JourneyRunEvent,
    input: {} as JourneyRunInput,
    tags: {} as "healthy" | "waiting" | "terminal",
    meta: {} as { readonly label: string; readonly description: string }
  },
  guards: {
    isCurrent: ({ context, event }) =>
      event.stageId !== undefined && event.stageId === currentStage(context)?.id,
    isLast: ({ context, event }) =>
      event.stageId !== undefined &&
      event.stageId === currentStage(context)?.id &&
      context.index === context.stages.length - 1,
    allDone: ({ context }) => context.index >= context.stages.length,
    nothingOpen: ({ context }) => context.open.length === 0,
    nothingOpenAllDone: ({ context }) => context.open.length === 0 && context.index >= context.stages.length,
    offers: ({ context, event }, params: { readonly decision: Decision }) =>
      event.data?.decision === params.decision &&
      context.offered &&
      event.data.version === context.recoveryVersion &&
      mayDecide(context, params.decision),
    mayRunOn: ({ context }) => goesOn(context) && context.open.length === 0,
    mayRunOnAllDone: ({ context }) =>
      goesOn(context) && context.open.length === 0 && context.index >= context.stages.length,
    decided: ({ context }, params: { readonly decision: Decision }) => context.decision === params.decision,
    skipsCurrent: ({ context, event }, params: { readonly decision: Decision }) =>
      context.decision === params.decision && event.stageId === currentStage(context)?.id,
    skipsLast: ({ context, event }, params: { readonly decision: Decision }) =>
      context.decision === params.decision &&
      event.stageId === currentStage(context)?.id &&
      context.index === context.stages.length - 1
  },
  actions: {
    // Asks: performed by the run's actor, never here.
    begin: () => {},
    runStage: (_, _params: StageAsk) => {},
    finishRun: () => {},
    recover: (_, _params: { readonly decision: Decision; readonly stageId: string | null }) => {},
    cleanUp: (_, _params: { readonly decision: Decision | null }) => {},

    started: assign({
      attempts: ({ context, event }) =>
        event.stageId === undefined
          ? context.attempts
          : { ...context.attempts, [event.stageId]: attemptOf(event, context) }
    }),
    advance: assign({ index: ({ context }) => context.index + 1 }),
    intended: assign({
      open: ({ context, event }) => {
        const { exchange } = event
        if (exchange === undefined || context.open.some(({ id }) => id === exchange.id)) return context.open
        // Whoever goes on catches up anew: such a read leaves nothing to be decided about.
        if (event.data?.["purpose"] === "catch-up" && isRead(exchange.request.method)) return context.open
        const stage = context.stages.find(({ id }) => id === event.stageId)
        const opened: OpenExchange = {
          id: exchange.id,
          stageId: event.stageId ?? null,
          write: !isRead(exchange.request.method),
          readBack: stage?.readBack ?? false
        }
        return [...context.open, opened]
      }
    }),
    completed: assign({
      open: ({ context, event }) => context.open.filter(({ id }) => id !== event.exchange?.id)
    }),
    graded: assign({
      graded: ({ context, event }) => ({
        ...context.graded,
        [event.stageId ?? ""]: (event.assertions ?? []).filter(({ outcome }) =>
          gradedOutcomes.includes(outcome)
        ).length
      })
    }),
    heard: assign({ inboundCount: ({ context }) => context.inboundCount + 1 }),
    interrupt: assign({ offered: false, decision: null }),
    offer: assign({
      offered: true,
      recoveryVersion: ({ context, event }) =>
        typeof event.data?.version === "number" ? event.data.version : context.recoveryVersion + 1
    }),
    decide: assign(({ context }, params: { readonly decision: Decision }) => ({
      decision: params.decision,
      offered: false,
      recoveries: context.recoveries + 1,
      stopAsked: context.stopAsked || params.decision === "abandon",
      // A decision settles what was unknown; only verification still has to find it out, and only for writes.
      open: params.decision === "verify_and_resume" ? context.open.filter(({ write }) => write) : []
    })),
    askToStop: assign({ stopAsked: true, offered: false })
  }
})

function attemptOf(event: JourneyRunEvent, context: JourneyRunContext): number {
  return typeof event.data?.attempt === "number"
    ? event.data.attempt
    : (context.attempts[event.stageId ?? ""] ?? 0) + 1
}

const freshStage = { type: "runStage", params: stageAsk("fresh") } as const
const resumedStage = { type: "runStage", params: stageAsk("resume") } as const
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
const interrupted = { target: "interrupted", actions: "interrupt" } as const
const stop = { target: "cancelling", actions: ["askToStop", cleanUp] } as const
const failed = { target: "failed" } as const
const nextStage = [
  { guard: "isLast", target: "running", actions: ["advance", "finishRun"] },
  { guard: "isCurrent", target: "running", actions: ["advance", freshStage] }
] as const
const takenUp = [
  { guard: "nothingOpenAllDone", target: "running", actions: "finishRun" },
  { guard: "nothingOpen", target: "running", actions: resumedStage }
] as const
const evidence = {
  "exchange.intended": { actions: "intended" },
  "exchange.completed": { actions: "completed" },
  "inbound.received": { actions: "heard" },
  "assertions.recorded": { actions: "graded" }
} as const

const choice = <D extends Decision>(decision: D, label: string, description: string) =>
  ({
    guard: { type: "offers", params: { decision } },
    target: "recovering",
    actions: [{ type: "decide", params: { decision } }, recover],
    meta: { label, description }
  }) as const

export const journeyRun = machine.createMachine({
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
    stopAsked: false
  }),
  initial: "queued",
  states: {
    queued: {
      tags: ["healthy"],
      on: {
        "run.created": { actions: "begin" },
        "run.started": { target: "running", actions: freshStage },
        "run.resumed": { actions: "begin" },
        "run.interrupted": interrupted,
        "cancel.requested": stop,
        "run.failed": failed
      }
    },
    running: {
      tags: ["healthy"],
      on: {
        ...evidence,
        "stage.started": { guard: "isCurrent", actions: "started" },
        "stage.completed": nextStage,
        "stage.failed": nextStage,
        "stage.skipped": nextStage,
        "wait.started": { target: "waiting" },
        "checkpoint.requested": { target: "waiting" },
        "run.resumed": takenUp,
        "run.completed": { guard: "allDone", target: "completed" },
        "run.interrupted": interrupted,
        "cancel.requested": stop,
        "run.failed": failed
      }
    },
    waiting: {
      tags: ["healthy", "waiting"],
      on: {
        "inbound.received": { actions: "heard" },
        "wait.satisfied": { target: "running" },
        "wait.expired": { target: "running" },
        "checkpoint.answered": { target: "running" },
        "run.resumed": takenUp,
        "run.interrupted": interrupted,
        "cancel.requested": stop,
        "run.failed": failed
      }
    },
    interrupted: {
      on: {
        "recovery.offered": { actions: "offer" },
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
            actions: [{ type: "decide", params: { decision: "abandon" } }, cleanUp],
            meta: {
              label: "Abandon",
              description: "Clean up at the partner and close the run as cancelled."
            }
          }
        ],
        "inbound.received": { actions: "heard" },
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
            actions: ["advance", "finishRun"]
          },
          {
            guard: { type: "skipsCurrent", params: { decision: "skip_stage" } },
            target: "running",
            actions: ["advance", freshStage]
          },
          { guard: { type: "skipsCurrent", params: { decision: "finish" } }, actions: "advance" }
        ],
        "run.resumed": [
          {
            guard: { type: "decided", params: { decision: "retry_stage" } },
            target: "running",
            actions: freshStage
          },
          { guard: "mayRunOnAllDone", target: "running", actions: "finishRun" },
          { guard: "mayRunOn", target: "running", actions: resumedStage }
        ],
        "run.completed": { guard: { type: "decided", params: { decision: "finish" } }, target: "completed" },
        "run.cancelled": {
          guard: { type: "decided", params: { decision: "restart_as_new" } },
          target: "cancelled"
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
        "run.resumed": { guard: "nothingOpen", actions: cleanUp },
        "run.cancelled": { target: "cancelled" },
        "run.interrupted": interrupted,
        "run.failed": failed
      }
    },
    completed: { type: "final", tags: ["healthy", "terminal"] },
    cancelled: { type: "final", tags: ["healthy", "terminal"] },
    failed: { type: "final", tags: ["healthy", "terminal"] }
  }
})

function goesOn({ decision }: JourneyRunContext): boolean {
  return decision === "resume" || decision === "verify_and_resume"
}
