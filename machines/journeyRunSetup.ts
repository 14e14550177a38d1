/** Guards and actions of the journey machine, and the work that it requests. */
import { assertEvent, assign, setup } from "xstate"
import type { UnnumberedEvent } from "../schema/LedgerEvent.ts"
import type { Decision } from "../schema/Recovery.ts"
import {
  currentStage,
  type JourneyRunContext,
  type JourneyRunInput,
  mayDecide,
  type OpenExchange
} from "./journeyRunContext.ts"
import { progressAfter } from "./runProgress.ts"

/** `fresh`: begin a new attempt. `resume`: continue the latest attempt without repeating what it has recorded. */
type StageMode = "fresh" | "resume"
/** A request to run a stage. */
export interface StageParams {
  readonly stageId: string
  /** The first attempt is 1. */
  readonly attempt: number
  readonly mode: StageMode
}

/** The actions that the machine requests of the run's actor. */
export type JourneyRunAction =
  | { readonly type: "begin" | "finishRun" }
  | { readonly type: "runStage"; readonly params: StageParams }
  | {
      readonly type: "recover"
      readonly params: { readonly decision: Decision; readonly stageId: string | null }
    }
  /** `decision`: the recovery decision that led here; null after a request to stop. */
  | { readonly type: "cleanUp"; readonly params: { readonly decision: Decision | null } }

const isRead = (method: string) => method === "GET" || method === "HEAD"
const gradedOutcomes: ReadonlyArray<string> = ["passed", "failed", "warned"]

/** The parameters of a request to run the current stage. */
export const stageParams =
  (mode: StageMode) =>
  ({ context }: { readonly context: JourneyRunContext }): StageParams => {
    const stageId = currentStage(context)?.id ?? ""
    const last = context.attempts[stageId] ?? 0
    return { stageId, attempt: mode === "fresh" ? last + 1 : Math.max(last, 1), mode }
  }

/** Guards and actions of the machine. An action without a body is a request: the run's actor performs it. */
export const journeyRunSetup = setup({
  types: {
    context: {} as JourneyRunContext,
    events: {} as UnnumberedEvent,
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
      event.type === "recovery.applied" &&
      event.data.decision === params.decision &&
      context.offered &&
      event.data.version === context.recoveryVersion &&
      mayDecide(context, params.decision),
    mayRunOn: ({ context }) => goesOn(context) && context.open.length === 0,
    mayRunOnAllDone: ({ context }) =>
      goesOn(context) && context.open.length === 0 && context.index >= context.stages.length,
    awaitsClock: ({ event }) => event.type === "wait.started" && event.data.party === "clock",
    decided: ({ context }, params: { readonly decision: Decision }) => context.decision === params.decision,
    skipsCurrent: ({ context, event }, params: { readonly decision: Decision }) =>
      context.decision === params.decision && event.stageId === currentStage(context)?.id,
    skipsLast: ({ context, event }, params: { readonly decision: Decision }) =>
      context.decision === params.decision &&
      event.stageId === currentStage(context)?.id &&
      context.index === context.stages.length - 1
  },
  actions: {
    // Requests: the run's actor performs them.
    begin: () => {},
    runStage: (_, _params: StageParams) => {},
    finishRun: () => {},
    recover: (_, _params: { readonly decision: Decision; readonly stageId: string | null }) => {},
    cleanUp: (_, _params: { readonly decision: Decision | null }) => {},

    /** Runs for each accepted event. */
    follow: assign({ progress: ({ context, event }) => progressAfter(context.progress, event) }),
    started: assign(({ context: { attempts }, event }) => {
      assertEvent(event, "stage.started")
      const { data, stageId } = event
      return { attempts: { ...attempts, [stageId]: data?.attempt ?? (attempts[stageId] ?? 0) + 1 } }
    }),
    advance: assign({ index: ({ context }) => context.index + 1 }),
    intended: assign({
      open: ({ context, event }) => {
        assertEvent(event, "exchange.intended")
        const { exchange } = event
        if (context.open.some(({ id }) => id === exchange.id)) return context.open
        // A resumed run catches up again, so an interrupted catch-up read needs no decision.
        if (event.data?.purpose === "catch-up" && isRead(exchange.request.method)) return context.open
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
      open: ({ context, event }) => {
        assertEvent(event, "exchange.completed")
        return context.open.filter(({ id }) => id !== event.exchange.id)
      }
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
      recoveryVersion: ({ event }) => {
        assertEvent(event, "recovery.offered")
        return event.data.version
      }
    }),
    decide: assign(({ context }, params: { readonly decision: Decision }) => ({
      decision: params.decision,
      offered: false,
      recoveries: context.recoveries + 1,
      stopAsked: context.stopAsked || params.decision === "abandon",
      // Every decision closes the open exchanges, except verification, which still has to read back the writes.
      open: params.decision === "verify_and_resume" ? context.open.filter(({ write }) => write) : []
    })),
    askToStop: assign({ stopAsked: true, offered: false })
  }
})

function goesOn({ decision }: JourneyRunContext): boolean {
  return decision === "resume" || decision === "verify_and_resume"
}
