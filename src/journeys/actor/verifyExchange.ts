/** Reads back at the partner the effect of a write whose answer was lost. The write is never sent again. */

import { Clock, Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { isEventOf, type LedgerEventOf, type Trace } from "../../../schema/LedgerEvent.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import { pollUntil } from "../../runs/pollUntil.ts"
import type { Act, ReadBack } from "../model/Act.ts"
import { waitSeconds } from "../model/waitSeconds.ts"
import { readPages } from "./catchUp.ts"
import type { RunContext, Stop } from "./RunContext.ts"
import { exchangeKey } from "./stageRequests.ts"

/** Completes an exchange whose answer was lost with the outcome `unknown` and what a read at the partner shows. */
export const verifyExchange = Effect.fnUntraced(function* (
  run: RunContext,
  exchangeId: string,
  version: number
) {
  const intended = run.log
    .events()
    .filter(isEventOf("exchange.intended"))
    .find(({ exchange }) => exchange.id === exchangeId)
  const readBack = readBackOf(actOf(run, intended?.stageId), intended)
  if (intended?.stageId === undefined || readBack === undefined) {
    throw new Error(`Exchange ${exchangeId} cannot be read back`)
  }
  const { data, exchange, stageId } = intended
  const { by, trace } = yield* traceOf(run, readBack, { exchange, stageId }, version)
  yield* run.record([
    {
      type: "exchange.completed",
      key: `${exchangeKey(stageId, data?.attempt ?? Number.NaN, data?.step)}/completed`,
      stageId,
      exchange: { ...exchange, outcome: "unknown" },
      data: { ...data, verified: trace, by }
    }
  ])
})

const actOf = ({ template }: RunContext, stageId: string | undefined): Act | undefined =>
  template.stages.find(({ id }) => id === stageId)?.act

function readBackOf(
  act: Act | undefined,
  intended: LedgerEventOf<"exchange.intended"> | undefined
): ReadBack | undefined {
  if (act?.act === "exchange" || act?.act === "register") return act.readBack
  return act?.act === "simulate" ? act.steps[Number(intended?.data?.step)]?.readBack : undefined
}

/** Reads once, and again after `patienceSeconds`: the partner may need time to show the effect. */
const traceOf = Effect.fnUntraced(function* (
  run: RunContext,
  readBack: ReadBack,
  intended: { readonly exchange: Exchange; readonly stageId: string },
  version: number
): Effect.fn.Return<{ readonly trace: Trace; readonly by: ReadonlyArray<string> }, Stop | StaleRun> {
  const { exchange: write, stageId } = intended
  const by: Array<string> = []
  const patience = Math.min(readBack.patienceSeconds, waitSeconds(run.history(), readBack.patienceSeconds))
  const until = (yield* Clock.currentTimeMillis) + patience * 1000
  const proven = Effect.map(run.pullInbound(stageId), () => readBack.proven(run.history(), write))
  let trace = "undecided" as Trace // `proven` may find it in a call of the partner instead
  for (const round of patience > 0 ? [1, 2] : [1]) {
    if (yield* proven) return { trace: "present", by }
    const { isCut, pages } = yield* readPages(run, {
      call: readBack.call(run.history(), write),
      stageId,
      key: `verify/${version}/${write.id}/${round}`,
      purpose: "verification",
      enough: (page) => {
        trace = readBack.found(run.history(), write, page)
        return trace === "present" || readBack.onPage?.(run.history(), page) === true
      }
    })
    by.push(...pages.map(({ id }) => id))
    if (trace === "present") return { trace, by }
    // What a list of which we have not read all does not show may be on a later page.
    if (isCut) trace = "undecided"
    yield* pollUntil<true, Stop | StaleRun>({
      millis: until - (yield* Clock.currentTimeMillis),
      poll: Effect.map(proven, (is) => (is ? true : undefined)),
      sleep: run.sleepUntilSignal
    })
  }
  return (yield* proven) ? { trace: "present", by } : { trace, by }
})
