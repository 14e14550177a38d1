/**
 * Sends the requests of a stage: each once per attempt. A request that was sent before is not repeated; its outcome is
 * used.
 */

import { Clock, Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import { newId } from "../../database/newId.ts"
import { inWords } from "../../findings/words.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import { crawlStep } from "../../ocpi/paging.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { durableStep, type StepState } from "../../runs/durableStep.ts"
import { type Gap, gradeStage } from "../grading/gradeStage.ts"
import type { Call, ExchangeAct, Keeps, SimulateAct, Unmet } from "../model/Act.ts"
import { stageAway } from "../model/absence.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { completionOf, exchangesOf } from "../model/RunHistory.ts"
import { registrationEnd } from "../model/registrationEnd.ts"
import { noAnswerReason } from "../model/rulings.ts"
import { catchUp, mostPages } from "./catchUp.ts"
import { intentOfAttempt, type RunContext, type Stop } from "./RunContext.ts"

/** The idempotency key of a request of an attempt at a stage. */
export const exchangeKey = (stageId: string, attempt: number, step?: unknown): string =>
  `${stageId}/${attempt}/exchange${typeof step === "number" ? `/${step}` : ""}`

/**
 * Reads what the partner may have sent while we were away, if the stage says how. `again`: also if a reading since then has shown
 * what is looked for.
 */
export const readMissed = (run: RunContext, stage: JourneyStage, { again = false } = {}) =>
  stage.catchUp === undefined || stageAway(run.history(), stage) === undefined
    ? Effect.void
    : catchUp(run, stage.catchUp, { key: stage.id, stageId: stage.id, again })

/** Stores our own objects as the act changes them. */
export const keepOurs = Effect.fnUntraced(function* (run: RunContext, keeps: Keeps | undefined, now: string) {
  const objects = keeps?.(run.history(), now) ?? []
  // What they follow from is in the ledger before the partner can read them.
  if (objects.length > 0) yield* run.record([])
  for (const object of objects) {
    yield* run.services.store.putObject(run.party.id, object)
  }
})

/** One request that belongs to an attempt at a stage. */
interface StageRequest {
  readonly stageId: string
  readonly attempt: number
  readonly step?: number
}

/** Sends the request unless this attempt has sent it. Returns why the stage cannot be graded, or undefined. */
export const sendOnce = Effect.fnUntraced(function* (
  run: RunContext,
  { attempt, stageId, step }: StageRequest,
  keeps: Keeps | undefined,
  build: (now: string) => Effect.Effect<Call | Unmet>
) {
  const sending = Effect.gen(function* () {
    const now = yield* nowIso
    const built = yield* build(now)
    if ("unmet" in built) {
      const gap = { reason: built.unmet, attribution: built.ours ? "ours" : "partner" } as const
      return built.goesOn === true
        ? ({ ...gap, outcome: "unobservable", goesOn: true } satisfies Gap)
        : ({ ...gap, outcome: "not_tested" } satisfies Gap)
    }
    yield* keepOurs(run, keeps, now)
    const sent = yield* run.send({
      call: built,
      stageId,
      key: exchangeKey(stageId, attempt, step),
      purpose: "stage",
      attempt,
      ...(step === undefined ? {} : { step })
    })
    if ("notSent" in sent) return notSent(sent.notSent, "partner")
    return sent.outcome === "blocked" ? notSent(noAnswerReason(sent), "ours") : undefined
  })
  return yield* durableStep<Gap | undefined, LedgerEventOf<"exchange.completed">, Stop | StaleRun, never>(
    {
      before: stepOf(run, { stageId, attempt, ...(step === undefined ? {} : { step }) }),
      isRepeatable: false,
      onDone: gapOf,
      onLost: ({ id }) => {
        // The machine asks for a stage only when nothing is open.
        throw new Error(`Exchange ${id} is still open`)
      }
    },
    sending
  )
})

/** How far the request of an attempt got. */
const stepOf = (
  run: RunContext,
  { attempt, stageId, step }: StageRequest
): StepState<LedgerEventOf<"exchange.completed">> => {
  const intent = intentOfAttempt(run.log.events(), stageId, attempt, step)?.exchange
  if (intent === undefined) return { is: "untouched" }
  const completion = completionOf(run.history(), intent.id)
  return completion === undefined ? { is: "lost", intent } : { is: "done", completion }
}

/** We have not sent it: a rule of ours about addresses forbids it, or the partner lists no such endpoint. */
const notSent = (reason: string, attribution: "ours" | "partner"): Gap => ({
  outcome: "not_tested",
  reason,
  attribution
})

/** Why an exchange cannot be graded: it was blocked by us, or its answer was lost; undefined if it can. */
export function gapOf({ data, exchange }: LedgerEventOf<"exchange.completed">): Gap | undefined {
  if (exchange.outcome === "blocked") return notSent(noAnswerReason(exchange), "ours")
  return exchange.outcome === "unknown"
    ? {
        outcome: "unobservable",
        reason: `The answer was lost when our service stopped; read back afterwards: ${inWords(data?.verified)}`
      }
    : undefined
}

/** Sends the request of a stage that has one, and reads on in a list where what is looked for is not on its first page. */
export const exchangeOnce = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  act: ExchangeAct,
  attempt: number
) {
  const { call, command, keeps, resultModule = "commands" } = act
  const sent = intentOfAttempt(run.log.events(), stage.id, attempt) !== undefined
  if (!sent) yield* readMissed(run, stage)
  const gap = yield* sendOnce(run, { stageId: stage.id, attempt }, keeps, (now) =>
    Effect.gen(function* () {
      const responseUrl =
        command === undefined
          ? ""
          : yield* run.services.calls.expectResult(run.party, command, yield* newId("command"), {
              module: resultModule
            })
      return call(run.history(), responseUrl, now)
    })
  )
  return gap ?? (yield* readOn(run, stage, act, attempt)) ?? (yield* readAgain(run, stage, act, attempt))
})

/** Seconds between the readings of what a partner has accepted and does not show yet. */
const rereadSeconds = [1, 4]

/** Reads what the partner should have stored again, each reading a step of its own, while it breaks a rule. */
const readAgain = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  { call, readsStored }: ExchangeAct,
  attempt: number
): Effect.fn.Return<Gap | undefined, Stop | StaleRun> {
  for (;;) {
    const readings = exchangesOf(run.history(), stage.id)
    const seconds = rereadSeconds[readings.length - 1]
    const isOut = seconds === undefined || readsStored !== true
    if (isOut || !isAnswerOf(readings.at(-1)) || keepsRules(stage, run)) return undefined
    yield* pause(run, seconds, stage.id)
    const gap = yield* sendOnce(
      run,
      { stageId: stage.id, attempt, step: readings.length },
      undefined,
      (now) => Effect.sync(() => call(run.history(), "", now))
    )
    if (gap !== undefined) return gap
  }
})

/** Does the answer say what the partner has: the object, or that there is none? */
const isAnswerOf = (reading: Exchange | undefined): boolean =>
  reading?.response?.httpStatus === 200 || reading?.response?.httpStatus === 404

const keepsRules = (stage: JourneyStage, run: RunContext): boolean =>
  gradeStage(stage, run.history()).every(({ outcome }) => outcome !== "failed" && outcome !== "warned")

/** Reads the next pages of the list, each a step of its own, while `readsOn` holds. */
const readOn = Effect.fnUntraced(function* (
  run: RunContext,
  { id: stageId }: JourneyStage,
  { call, readsOn }: ExchangeAct,
  attempt: number
): Effect.fn.Return<Gap | undefined, Stop | StaleRun> {
  while (readsOn?.(run.history()) === true) {
    const pages = exchangesOf(run.history(), stageId)
    const visited = pages.map(({ request }) => request.url)
    const next = crawlStep(pages.at(-1)?.response?.headers["link"], visited, mostPages)
    if (next.step !== "next") return undefined
    const gap = yield* sendOnce(run, { stageId, attempt, step: pages.length }, undefined, (now) =>
      Effect.sync(() => pageAt(next.url, call(run.history(), "", now)))
    )
    if (gap !== undefined) return gap
  }
  return undefined
})

/** The request for a page of the list by the link to it. */
function pageAt(url: string, list: Call | Unmet): Call | Unmet {
  if ("unmet" in list) return list
  const { path: _, query: __, ...rest } = list
  return { ...rest, url }
}

/**
 * Sends the requests of a stage in order. A step that cannot be graded ends the stage, unless a read back has shown that it took
 * effect.
 */
export const simulate = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  { steps }: SimulateAct,
  attempt: number
) {
  let lost: Gap | undefined
  for (const [step, { afterSeconds, call, keeps }] of steps.entries()) {
    const intent = () => intentOfAttempt(run.log.events(), stage.id, attempt, step)
    if (intent() === undefined) yield* pause(run, afterSeconds?.(run.history()) ?? 0, stage.id)
    const gap = yield* sendOnce(run, { stageId: stage.id, attempt, step }, keeps, (now) =>
      Effect.sync(() => call(run.history(), now))
    )
    const exchange = intent()?.exchange
    const completion = exchange === undefined ? undefined : completionOf(run.history(), exchange.id)
    if (gap !== undefined && completion?.data?.verified !== "present") return gap
    lost ??= gap
  }
  return lost
})

/** Waits so many seconds, unless the partner ends the registration, records its calls meanwhile, and obeys a request to stop. */
export const pause = Effect.fnUntraced(function* (run: RunContext, seconds: number, stageId: string) {
  const until = (yield* Clock.currentTimeMillis) + seconds * 1000
  for (;;) {
    const left = until - (yield* Clock.currentTimeMillis)
    if (left <= 0 || registrationEnd(run.history()) !== undefined) return
    yield* run.sleepUntilSignal(left)
    yield* run.pullInbound(stageId)
  }
})
