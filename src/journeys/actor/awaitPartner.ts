/** Waits for calls of the partner: for how long, and what is read if the partner may have called while we were away. */

import { Clock, Effect, Option } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { isClientErrorCode } from "../../../schema/ocpi/envelope.ts"
import { pathSegments, uninvited, wasTaken } from "../../findings/calledPath.ts"
import { objectIn, textIn } from "../../findings/json.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { isoOf, nowIso } from "../../party/wire/instants.ts"
import { pollUntil } from "../../runs/pollUntil.ts"
import type { AwaitAct, WaitAct } from "../model/Act.ts"
import { stageAway } from "../model/absence.ts"
import { expectedOf } from "../model/expected.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { pushesNothing } from "../model/partnerPushes.ts"
import {
  inboundOf,
  intentOf,
  intentSequence,
  jsonOf,
  oncePerState,
  type RunHistory,
  readingsOf
} from "../model/RunHistory.ts"
import { registrationEnd } from "../model/registrationEnd.ts"
import { waitSeconds } from "../model/waitSeconds.ts"
import { catchUp } from "./catchUp.ts"
import type { RunContext, Stop } from "./RunContext.ts"
import { keepOurs, pause, readMissed } from "./stageRequests.ts"

/**
 * Milliseconds between two looks at what the partner has sent. Its calls wake the run, also those that another process has received;
 * this is for a wake-up that was lost twice.
 */
const wokenMillis = 60_000
/** Milliseconds between two readings of the list of a partner that pushes nothing. */
const readMillis = 15_000
/** How long a partner has for its first push of a run before its list is read: a partner that pushes may be slow. */
const unpushedMillis = 30_000
/** How long we wait on after a message that cannot be used: what comes next goes to the same URL, and looks the same. */
const unusableMillis = 20_000
/** Limit of the wait for a call that the partner probably made while we were away, and that cannot be read back. */
const lostSeconds = 5

/**
 * Waits for the partner; after an absence it first reads what may have been missed. Returns why the stage cannot be graded, or
 * undefined.
 */
export const awaitPartner = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  act: AwaitAct,
  attempt: number
) {
  const setOffBy = stage.setOffBy?.(run.history())
  if (setOffBy !== undefined && intentOf(run.history(), setOffBy) === undefined) {
    return {
      outcome: "not_tested",
      reason: "The request that triggers it was not sent",
      goesOn: true
    } as const
  }
  const away = stageAway(run.history(), stage)
  if (!act.look(run.history()).found) yield* readMissed(run, stage)
  yield* keepOurs(run, act.keeps, yield* nowIso)
  const ended = run.log
    .events()
    .some(
      (event) =>
        (event.type === "wait.satisfied" || event.type === "wait.expired") &&
        event.stageId === stage.id &&
        event.data?.attempt === attempt
    )
  if (ended) return undefined
  const seconds = Math.max(
    waitSeconds(run.history(), act.seconds?.(run.history()) ?? stage.timeoutSeconds),
    act.atLeastSeconds?.(run.history()) ?? 0
  )
  const isLost = away !== undefined && stage.catchUp === undefined
  yield* waitFor(run, stage, act, { attempt, seconds: isLost ? Math.min(seconds, lostSeconds) : seconds })
  if (!act.look(run.history()).found) yield* readMissed(run, stage, { again: true })
  yield* readUnpushed(run, stage, act)
  return undefined
})

/** Reads the list of a partner that has pushed nothing of any module: it may leave what is awaited to be read. */
const readUnpushed = (run: RunContext, { catchUp: wanted, id }: JourneyStage, { look }: AwaitAct) =>
  wanted === undefined || !pushesNothing(run.history()) || look(run.history()).found
    ? Effect.void
    : catchUp(run, wanted, { key: id, stageId: id, again: true })

/** Has a list shown us something that was not pushed? */
const hasRead = (history: RunHistory): boolean =>
  ["sessions", "cdrs"].some((module) => readingsOf(history, module).some(({ items }) => items.length > 0))

const waitFor = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  act: AwaitAct,
  { attempt, seconds }: { readonly attempt: number; readonly seconds: number }
) {
  const { expects, instruction, look: own } = act
  // The line that a call adds is looked at as the history after it, and again as the one before the next call.
  const look = oncePerState(withRefused(stage, withUninvited(own)))
  const stageId = stage.id
  const data = { attempt }
  // The epoch is part of the key: after a take-over the wait begins anew, because time in which we were away must not count
  // against the partner.
  const key = `${stageId}/${attempt}/wait/${run.log.epoch}`
  const millis = 1000 * seconds
  const deadline = new Date(Date.parse(yield* run.services.ledger.now) + millis).toISOString()
  const expected = expects?.(run.history(), yield* nowIso)
  const started: EventDraft = {
    type: "wait.started",
    key: `${key}/started`,
    stageId,
    data: {
      ...data,
      party: stage.actor,
      instruction: instruction(run.history()),
      deadline,
      nearMisses: look(run.history()).nearMisses,
      ...(expected === undefined
        ? {}
        : { expects: expectedOf(run.services.publicUrl, run.party, run.history().profile, expected) })
    }
  }
  const satisfied = { type: "wait.satisfied", key: `${key}/satisfied`, stageId, data } as const
  if (look(run.history()).found) return yield* run.buffer([started, satisfied])
  yield* run.buffer([started])
  const nearMiss = (before: RunHistory, after: RunHistory) => {
    const seen = look(after)
    if (seen.found) return undefined
    const known = new Set(look(before).nearMisses)
    return seen.nearMisses.find((miss) => !known.has(miss))
  }
  const since = yield* Clock.currentTimeMillis
  const wasRead = pushesNothing(run.history()) && hasRead(run.history())
  const isLeftToRead = () => stage.catchUp !== undefined && pushesNothing(run.history())
  let unusableSince: number | undefined
  let isOver = false
  const found = yield* pollUntil<true, Stop | StaleRun>({
    millis,
    everyMillis: () =>
      unusableSince !== undefined ? unusableMillis : isLeftToRead() ? readMillis : wokenMillis,
    poll: Effect.gen(function* () {
      yield* run.pullInbound(stageId, nearMiss)
      const now = yield* Clock.currentTimeMillis
      if (isLeftToRead() && (wasRead || now - since >= unpushedMillis)) yield* readUnpushed(run, stage, act)
      if (look(run.history()).found) return true
      if (isUnusable(run.history(), stage, act)) unusableSince ??= now
      isOver =
        (unusableSince !== undefined && now - unusableSince >= unusableMillis) ||
        (stage.module !== "credentials" && registrationEnd(run.history()) !== undefined)
      return undefined
    }),
    isOver: () => isOver,
    sleep: run.sleepUntilSignal
  })
  if (found) return yield* run.buffer([satisfied])
  const { nearMisses } = look(run.history())
  const expired = { ...satisfied, type: "wait.expired", key: `${key}/expired` } as const
  const turnedAwayAt = yield* turnedAway(run, stage)
  yield* run.buffer([
    { ...expired, data: { ...data, nearMisses, ...(turnedAwayAt === undefined ? {} : { turnedAwayAt }) } }
  ])
})

/**
 * Has a call that cannot be used come in this stage, or since the one that sets it off: to a URL that we never offered and that names
 * the stage's module, or one that we refused although it had our token?
 */
function isUnusable(history: RunHistory, { id, module, setOffBy }: JourneyStage, act: AwaitAct): boolean {
  if (module === null) return false
  const sent = setOffBy === undefined ? undefined : intentSequence(history, setOffBy(history))
  return history.events.some((event) => {
    if (event.type !== "inbound.received") return false
    const { data, exchange, sequence, stageId } = event
    if (stageId !== id && (sent === undefined || sequence <= sent)) return false
    return uninvited(exchange, history.profile) !== undefined
      ? pathSegments(exchange.request.url).includes(module)
      : act.isSentOnce === true &&
          stageId === id &&
          exchange.module === module &&
          data?.relation !== "foreign" &&
          isRefused(exchange)
  })
}

/** Did we refuse it for what it is? A call without our token may be anybody's. */
const isRefused = ({ ourFault, response }: Exchange): boolean =>
  ourFault === undefined &&
  response !== null &&
  response.httpStatus !== 401 &&
  response.httpStatus < 500 &&
  isClientErrorCode(response.ocpiStatusCode ?? 0)

/** A call to a URL that we never offered is a near miss of whatever is awaited. */
const withUninvited =
  (look: AwaitAct["look"]): AwaitAct["look"] =>
  (history) => {
    const { found, nearMisses } = look(history)
    const strays = inboundOf(history).flatMap((exchange) => uninvited(exchange, history.profile) ?? [])
    return { found, nearMisses: [...nearMisses, ...new Set(strays)] }
  }

/**
 * A call to the stage's module that we refused while the stage waited is a near miss of what it awaits, unless the stage has named it
 * itself, with the words of our refusal: another method, or another path.
 */
const withRefused =
  ({ id, module }: JourneyStage, look: AwaitAct["look"]): AwaitAct["look"] =>
  (history) => {
    const { found, nearMisses } = look(history)
    const refused = history.events.flatMap((event) => {
      if (event.type !== "inbound.received" || event.stageId !== id) return []
      const { exchange } = event
      const isOurs = exchange.ourFault !== undefined
      if (exchange.module !== module || isOurs || wasTaken(exchange)) return []
      const { method, url } = exchange.request
      const why = textIn(objectIn(jsonOf(exchange.response))["status_message"])
      const came = `${method} came to /${pathSegments(url).join("/")}`
      const isNamed = nearMisses.some((miss) => miss.includes(why ?? came) || miss.startsWith(came))
      return isNamed ? [] : [`${came}, and we refused it: ${why ?? `HTTP ${exchange.response?.httpStatus}`}`]
    })
    return { found, nearMisses: [...nearMisses, ...new Set(refused)] }
  }

/**
 * The last time we answered a partner's call with a server error: since the request that triggers what this stage awaits, or,
 * if no request of ours triggers it, since the wait began.
 */
function turnedAway(run: RunContext, stage: JourneyStage): Effect.Effect<string | undefined> {
  const setOffBy = stage.setOffBy?.(run.history())
  const sent = setOffBy === undefined ? undefined : intentSequence(run.history(), setOffBy)
  const line = run.log
    .events()
    .find(({ sequence, stageId, type }) =>
      setOffBy === undefined ? type === "wait.started" && stageId === stage.id : sequence === sent
    )
  return line === undefined
    ? Effect.succeed(undefined)
    : Effect.map(run.services.refusedSince(line.occurredAt, run.party.id), Option.getOrUndefined)
}

/** Waits for a time. A wait that began before an absence of ours keeps its deadline. */
export const waitOut = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  { instruction, keeps, seconds }: WaitAct,
  attempt: number
) {
  const stageId = stage.id
  const data = { attempt }
  const key = `${stageId}/${attempt}/wait/${run.log.epoch}`
  const begun = run.log
    .events()
    .filter(isEventOf("wait.started"))
    .find((event) => event.stageId === stageId && event.data.attempt === attempt)
  yield* keepOurs(run, keeps, yield* nowIso)
  const now = Date.parse(yield* run.services.ledger.now)
  const deadline = begun?.data.deadline ?? isoOf(now + 1000 * seconds(run.history()))
  yield* run.buffer([
    {
      type: "wait.started",
      key: `${key}/started`,
      stageId,
      data: { ...data, party: "clock", instruction: instruction(run.history()), deadline }
    }
  ])
  yield* pause(run, (Date.parse(deadline) - now) / 1000, stageId)
  yield* run.buffer([{ type: "wait.satisfied", key: `${key}/satisfied`, stageId, data }])
})
