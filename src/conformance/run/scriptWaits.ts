/** The waits of scripts for something that the partner is to send: how long, how often in vain, and what is said when nothing came. */
import { Clock, Effect, Option, Queue } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { refusedCall, uninvited } from "../../findings/calledPath.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { pollUntil } from "../../runs/pollUntil.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import {
  type Evidence,
  type Gathered,
  type NotGathered,
  type Observation,
  probeOf
} from "../model/Evidence.ts"
import { missed, missOf } from "../model/observed.ts"
import { type Awaiting, cutShort, withheld } from "../model/Probe.ts"
import { type Silence, silencesIn, waitIn } from "./journal.ts"
import { callSeen } from "./observations.ts"
import type { Watch } from "./Watch.ts"

/** The run whose scripts wait. */
export interface ScriptWaitOptions {
  readonly events: () => ReadonlyArray<LedgerEvent>
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, StaleRun>
  readonly stageId: () => string
  readonly stopped: () => string | undefined
  readonly watch: Watch
  /** The partner's calls to our second EMSP, if the run has one. */
  readonly secondWatch?: Watch
  readonly arrivals: PartyStore["Type"]["arrivals"]
  readonly evidence: Evidence
  /** The latest time after `since` at which we did not serve a call of the partner; both ISO 8601 UTC. */
  readonly refusedSince: (since: string) => Effect.Effect<Option.Option<string>>
}

/** Each wait is recorded in the ledger as a step, and one that was begun goes on to its deadline. */
export interface ScriptWaits {
  /** Waits for a call of the partner: the call, or why there is none. */
  readonly wait: (step: string, awaiting: Awaiting) => Effect.Effect<Gathered, StaleRun>
  /** Waits `seconds` and records the partner's calls meanwhile, unless the run stops. */
  readonly listen: (step: string, seconds: number, instruction: string) => Effect.Effect<void, StaleRun>
}

/** Seconds. */
const longestWait = 300
/** After so many waits of one kind in a row for which nothing came, that kind is not waited for any more. */
const mostSilences = 2
/** How long is waited for something of a kind that did not come the last time. */
const secondChanceSeconds = 10
/** How long we wait on after a failed attempt at what is awaited: what comes next looks the same. */
const unusableSeconds = 20

/** The waits of one run. */
export const makeScriptWaits = (options: ScriptWaitOptions): ScriptWaits => {
  const { arrivals, events, evidence, record, refusedSince, stageId, stopped, watch } = options
  const isAwaited = (id: PartyId) => id === watch.partyId || id === options.secondWatch?.partyId

  /** Waits until `done` returns something, the deadline (milliseconds since 1970) has passed, or the run stops. */
  const until = <A>(
    deadline: number,
    done: Effect.Effect<A | undefined, StaleRun>,
    isOver: () => boolean = () => false
  ): Effect.Effect<A | undefined, StaleRun> =>
    Effect.scoped(
      Effect.gen(function* () {
        const wake = yield* Queue.sliding<PartyId>(1)
        yield* arrivals.hear((id) => {
          if (isAwaited(id)) wake.unsafeOffer(id)
        })
        return yield* pollUntil({
          millis: deadline - (yield* Clock.currentTimeMillis),
          poll: done,
          sleep: (millis) => Effect.timeoutOption(Queue.take(wake), millis),
          isOver: () => stopped() !== undefined || isOver()
        })
      })
    )

  const begin = Effect.fnUntraced(function* (
    step: string,
    deadlineMillis: number,
    instruction: string,
    more: WaitFacts = {}
  ) {
    const known = waitIn(events(), step)
    if (known !== undefined) return known
    const deadline = new Date(deadlineMillis).toISOString()
    const since = yield* nowIso
    yield* record([
      {
        type: "wait.started",
        key: `${step}/wait`,
        stageId: stageId(),
        data: { party: "partner", instruction, deadline, since, step, ...more }
      }
    ])
    return { deadline, ended: false, ...more }
  })

  const ended = (step: string, type: "wait.satisfied" | "wait.expired", more: WaitEnd = {}) =>
    record([{ type, key: `${step}/waited`, stageId: stageId(), data: { step, ...more } }])

  /** When we did not serve a call while that step waited; undefined if we served all. ISO 8601 UTC. */
  const turnedAway = (step: string): Effect.Effect<string | undefined> => {
    const began = events().find((event) => event.type === "wait.started" && event.data.step === step)
    return began === undefined
      ? Effect.succeed(undefined)
      : Effect.map(refusedSince(began.occurredAt), Option.getOrUndefined)
  }

  /** When another process went on with the script of that step, which may have missed what was awaited; ISO 8601 UTC. */
  const awayUntil = (step: string): string | undefined => {
    const all = events()
    const ofScript = (one: LedgerEvent) =>
      (one.type === "exchange.intended" || one.type === "wait.started") &&
      typeof one.data?.step === "string" &&
      probeOf(one.data.step) === probeOf(step)
    const begun = all.findIndex(ofScript)
    const end = all.findIndex((one) => one.type === "wait.expired" && one.data?.step === step)
    return begun < 0
      ? undefined
      : all.slice(begun, end < 0 ? all.length : end).findLast((one) => one.type === "run.resumed")?.occurredAt
  }

  /** Until when is waited, in milliseconds since 1970, and the reason when that is too short to hold silence against the partner. */
  const planned = (awaiting: Awaiting, silences: ReadonlyArray<Silence>, now: number) => {
    const { isPart, kind, shortBecause } = awaiting
    const deadline = Math.max(
      now,
      (awaiting.from ?? now) + Math.min(Math.max(awaiting.seconds, 0), longestWait) * 1000
    )
    const soon = now + secondChanceSeconds * 1000
    const [last] = silences.slice(-1)
    const why =
      last !== undefined && deadline > soon
        ? `no ${kind} came in ${inSeconds(last)} before, so that this one was awaited for ${secondChanceSeconds} s only`
        : shortBecause
    return {
      deadline: last === undefined ? deadline : Math.min(deadline, soon),
      facts: {
        ...(kind === undefined || isPart === true ? {} : { kind }),
        ...(why === undefined ? {} : { shortBecause: why })
      }
    }
  }

  const wait: ScriptWaits["wait"] = Effect.fnUntraced(function* (step, awaiting) {
    const { kind } = awaiting
    const watched = awaiting.by === "second" ? options.secondWatch : watch
    const match =
      watched?.finder((one) => awaiting.matches(one, evidence)) ?? Effect.succeed<undefined>(undefined)
    const silences = kind === undefined ? [] : silencesIn(events(), kind)
    if (waitIn(events(), step) === undefined && silences.length >= (awaiting.isPart ? 1 : mostSilences)) {
      const early = yield* match
      return early === undefined ? notAwaited(`${kind}`, silences) : { seen: [early] }
    }
    const { deadline, facts } = planned(awaiting, silences, yield* Clock.currentTimeMillis)
    const state = yield* begin(step, deadline, awaiting.instruction, facts)
    if ("exchange" in state && state.exchange !== undefined) return { seen: [callSeen(state.exchange)] }
    const failures = makeFailures(watched, awaiting, evidence)
    const found = yield* until(
      state.ended ? 0 : Date.parse(state.deadline),
      Effect.tap(match, failures.look),
      () => !state.ended && failures.areFinal()
    )
    const awayAt = found === undefined ? awayUntil(step) : undefined
    const turnedAwayAt = found === undefined ? (awayAt ?? (yield* turnedAway(step))) : undefined
    const unusable =
      "nearMisses" in state ? state.nearMisses : failures.areFinal() ? failures.misses() : undefined
    if (!state.ended)
      yield* found === undefined
        ? ended(step, "wait.expired", {
            ...(turnedAwayAt === undefined ? {} : { turnedAwayAt }),
            ...(unusable === undefined ? {} : { nearMisses: unusable })
          })
        : ended(step, "wait.satisfied", { exchangeId: found.exchange.id })
    if (found !== undefined) return { seen: [found] }
    if (unusable !== undefined && stopped() === undefined)
      return {
        ...withheld("unobservable", refusedBefore(unusable)),
        ...(awaiting.isPart ? {} : { givenUp: {} })
      }
    const near = nearest(watched === undefined ? [] : yield* watched.pull, awaiting, evidence)
    const stop = stopped()
    if (stop !== undefined) return cutShort(stop)
    if (turnedAwayAt !== undefined)
      return {
        ...withheld(
          "not_tested",
          awayAt === undefined ? unserved(turnedAwayAt) : missedBefore(awayAt),
          "ours"
        ),
        ...(awaiting.isPart ? {} : { givenUp: {} })
      }
    return state.shortBecause === undefined
      ? withheld("unobservable", `${awaiting.provoke}${near}`)
      : { ...withheld("unobservable", `${state.shortBecause}${near}`), givenUp: silent(kind, silences) }
  })

  const listen: ScriptWaits["listen"] = Effect.fnUntraced(function* (step, seconds, instruction) {
    const state = yield* begin(step, (yield* Clock.currentTimeMillis) + seconds * 1000, instruction)
    if (state.ended) return
    yield* until(Date.parse(state.deadline), Effect.as(watch.pull, undefined))
    yield* ended(step, "wait.expired")
  })

  return { wait, listen }
}

/** What a wait notes in the ledger beside its deadline. */
interface WaitFacts {
  readonly kind?: string
  readonly shortBecause?: string
}

/** What the end of a wait notes in the ledger. */
interface WaitEnd {
  readonly exchangeId?: string
  readonly turnedAwayAt?: string
  /** The failed attempts after which nothing better was awaited. */
  readonly nearMisses?: ReadonlyArray<string>
}

/** Failed attempts at what is awaited. */
interface Failures {
  /** Looks at the calls that came since the last look. */
  readonly look: Effect.Effect<void, StaleRun>
  /** Has nothing better come for a while, by the time of the last look? */
  readonly areFinal: () => boolean
  /** What came and why it cannot be used, a sentence each. */
  readonly misses: () => ReadonlyArray<string>
}

const reads: ReadonlyArray<string> = ["GET", "HEAD", "OPTIONS"]
/** Most failed attempts that are named. */
const namedFailures = 3

function makeFailures(watched: Watch | undefined, { attempts }: Awaiting, evidence: Evidence): Failures {
  const misses = new Set<string>()
  let looked = 0
  let since: number | undefined
  let isFinal = false
  const look = Effect.gen(function* () {
    if (watched === undefined || attempts === undefined) return
    const calls = yield* watched.pull
    for (const call of calls.slice(looked)) {
      const miss = refusedCall(call.exchange) ?? uninvited(call.exchange, evidence.profile)
      if (miss === undefined || reads.includes(call.exchange.request.method)) continue
      if (!attempts(call, evidence)) continue
      since ??= Date.parse(call.exchange.startedAt)
      misses.add(miss)
    }
    looked = calls.length
    isFinal = since !== undefined && (yield* Clock.currentTimeMillis) - since >= unusableSeconds * 1000
  })
  return { look, areFinal: () => isFinal, misses: () => [...misses].slice(0, namedFailures) }
}

const refusedBefore = (misses: ReadonlyArray<string>) =>
  `what came cannot be used: ${misses.join("; ")}. Nothing better came in the ${unusableSeconds} s after it, so that it was not awaited for longer`

const inSeconds = ({ seconds }: Silence) => `${Math.round(seconds)} s`

/** The last waits of that kind brought nothing, so this one was not begun. */
const notAwaited = (kind: string, silences: ReadonlyArray<Silence>): NotGathered => ({
  ...withheld(
    "unobservable",
    `no ${kind} came in the last ${silences.length} waits for one (${silences.map(inSeconds).join(", ")}), so that it was not waited for again`
  ),
  givenUp: silent(kind, silences)
})

const silent = (kind: string | undefined, silences: ReadonlyArray<Silence>) =>
  kind !== undefined && silences.some(({ isFull }) => isFull) ? { silence: kind } : {}

const unserved = (at: string) => `we did not serve a call that came at ${at}, and it may have been this one`

const missedBefore = (at: string) =>
  `our process ended while the script was under way, and another one went on at ${at}: what was awaited may have come in between`

function nearest(seen: ReadonlyArray<Observation>, { nearMiss }: Awaiting, evidence: Evidence): string {
  return missed(seen.flatMap((one) => missOf(one, evidence, nearMiss)))
}
