/** Carrying out a decision and reading back what is unknown. */
import { Clock, Effect } from "effect"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import type { Decision } from "../../schema/Recovery.ts"
import type { Act, ReadBack, Trace } from "./Act.ts"
import { readPages } from "./catchUp.ts"
import { exchangeKey } from "./exchangeWork.ts"
import type { RunDesk } from "./RunDesk.ts"
import { skipped, stageOf } from "./stageWork.ts"
import { cleanUp } from "./tidying.ts"
import { waitSeconds } from "./waiting.ts"

const pollMillis = 1000

/** Does what was decided and lets the machine go on, or ends the run. */
export const recover = Effect.fnUntraced(function* (
  desk: RunDesk,
  { decision, stageId }: { readonly decision: Decision; readonly stageId: string | null }
) {
  const version = desk.context().recoveryVersion
  const resumed = { type: "run.resumed", key: `recovery/${version}/resumed`, data: { decision } } as const
  switch (decision) {
    case "resume":
    case "retry_stage":
      return yield* desk.record([resumed])
    case "verify_and_resume":
      for (const { id } of desk.context().open) yield* verify(desk, id, version)
      return yield* desk.record([resumed])
    case "skip_stage":
      if (stageId === null) throw new Error("There is no stage to skip")
      return yield* desk.record(
        skipped(desk, stageOf(desk, stageId), "Skipped by decision after an interruption")
      )
    case "finish":
      return yield* finishEarly(desk)
    case "restart_as_new":
      return yield* restart(desk)
    case "abandon":
      // The machine asks for a clean-up instead.
      return
  }
})

const finishEarly = Effect.fnUntraced(function* (desk: RunDesk) {
  yield* cleanUp(desk, true)
  const { index } = desk.context()
  const reason = "The run was finished by decision after an interruption"
  yield* desk.record([
    ...desk.template.stages.slice(index).flatMap((stage) => skipped(desk, stage, reason)),
    { type: "run.completed", key: "run/completed", data: { cutShort: true, reason } }
  ])
})

const restart = Effect.fnUntraced(function* (desk: RunDesk) {
  const successorRunId = successorOf(desk.log.events())
  if (successorRunId === undefined) throw new Error("The decision to restart names no successor")
  yield* cleanUp(desk, true)
  yield* desk.crew.startSuccessor(desk.log.facts, successorRunId)
  const reason = `Restarted as ${successorRunId}`
  yield* desk.record([{ type: "run.cancelled", key: "run/cancelled", data: { reason, successorRunId } }])
})

/** The successor that was named when a restart was decided: the same one, however often that is decided. */
export function successorOf(events: ReadonlyArray<LedgerEvent>): string | undefined {
  const named = events.find(
    ({ data, type }) => type === "recovery.applied" && typeof data?.["successorRunId"] === "string"
  )
  return named === undefined ? undefined : String(named.data?.["successorRunId"])
}

/** Closes an exchange whose answer was lost, with what a read at the partner says about it. The write is not sent again. */
const verify = Effect.fnUntraced(function* (desk: RunDesk, exchangeId: string, version: number) {
  const intended = desk.log
    .events()
    .find(({ exchange, type }) => type === "exchange.intended" && exchange?.id === exchangeId)
  const readBack = readBackOf(stageOf(desk, intended?.stageId ?? "").act, intended)
  if (intended?.exchange === undefined || intended.stageId === undefined || readBack === undefined) {
    throw new Error(`Exchange ${exchangeId} cannot be read back`)
  }
  const { data, exchange, stageId } = intended
  const { by, trace } = yield* traceOf(desk, readBack, { ...intended, exchange, stageId }, version)
  yield* desk.record([
    {
      type: "exchange.completed",
      key: `${exchangeKey(stageId, Number(data?.["attempt"]), data?.["step"])}/completed`,
      stageId,
      exchange: { ...exchange, outcome: "unknown" },
      data: { ...data, verified: trace, by }
    }
  ])
})

function readBackOf(act: Act, intended: LedgerEvent | undefined): ReadBack | undefined {
  if (act.act === "exchange") return act.readBack
  return act.act === "simulate" ? act.steps[Number(intended?.data?.["step"])]?.readBack : undefined
}

/** Reads once, and once more when the partner's patience is over: "absent" at once proves little. */
const traceOf = Effect.fnUntraced(function* (
  desk: RunDesk,
  readBack: ReadBack,
  intended: LedgerEvent & Required<Pick<LedgerEvent, "exchange" | "stageId">>,
  version: number
) {
  const { exchange: write, stageId } = intended
  const by: Array<string> = []
  const patience = Math.min(readBack.patienceSeconds, waitSeconds(desk.memory(), readBack.patienceSeconds))
  const until = (yield* Clock.currentTimeMillis) + patience * 1000
  const proven = Effect.map(desk.pullInbound(stageId), () => readBack.proven(desk.memory(), write))
  let trace = "undecided" as Trace // heard of in a callback, too
  for (const round of patience > 0 ? [1, 2] : [1]) {
    if (yield* proven) return { trace: "present" as Trace, by }
    const pages = yield* readPages(desk, {
      call: readBack.call(desk.memory(), write),
      stageId,
      key: `verify/${version}/${write.id}/${round}`,
      purpose: "verification",
      enough: (page) => {
        trace = readBack.found(desk.memory(), write, page)
        return trace === "present" || readBack.onPage?.(desk.memory(), page) === true
      }
    })
    by.push(...pages.map(({ id }) => id))
    if (trace === "present") return { trace, by }
    for (;;) {
      const left = until - (yield* Clock.currentTimeMillis)
      if (left <= 0 || (yield* proven)) break
      yield* desk.rest(Math.min(pollMillis, left))
    }
  }
  return (yield* proven) ? { trace: "present" as Trace, by } : { trace, by }
})
