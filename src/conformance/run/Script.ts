/**
 * Runs scripts: a step that the ledger records as done is taken from there, other steps are carried out. After a script
 * the clean-up runs, however the script ended.
 */
import { Clock, Effect, Option, PubSub, Queue } from "effect"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { requestName } from "../../findings/answers.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { lookUntil } from "../../runs/lookUntil.ts"
import type { OurFault } from "../../store/parties/Party.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import {
  type Evidence,
  type Gathered,
  isWithheld,
  type NotGathered,
  type Observation
} from "../model/Evidence.ts"
import { missed, missOf } from "../model/observed.ts"
import {
  type Awaiting,
  type ProbeRequest,
  type StepAct,
  type WritingProbe,
  withheld,
  withheldBy
} from "../model/Probe.ts"
import { leftovers, type Silence, silencesIn, stepIn, undoOf, waitIn } from "./journal.ts"
import type { Prober } from "./Prober.ts"
import { answeredTo, calledBy, type Watch } from "./Watch.ts"

/** The run to which the scripts belong, and how their steps send, register, wait and inject faults. */
export interface ScriptOptions {
  readonly events: () => ReadonlyArray<LedgerEvent>
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<unknown, StaleRun>
  readonly stageId: () => string
  readonly stopped: () => string | undefined
  readonly write: Prober["write"]
  readonly register: Prober["register"]
  /** Injects these faults into our own answers while the work runs, and removes them afterwards in any case. */
  readonly bend: <A, E>(faults: ReadonlyArray<OurFault>, work: Effect.Effect<A, E>) => Effect.Effect<A, E>
  readonly watch: Watch
  /** The partner's calls to our second EMSP, if the run has one. */
  readonly secondWatch?: Watch
  readonly arrivals: PartyStore["Type"]["arrivals"]
  readonly evidence: Evidence
  readonly results: Map<string, Gathered>
  /** Does a check of the run need this step, `probe#step`? */
  readonly isNeeded: (step: string) => boolean
  /** The latest time after `since` at which we did not serve a call of the partner; both ISO 8601 UTC. */
  readonly refusedSince: (since: string) => Effect.Effect<Option.Option<string>>
}

/** Runs the scripts of one conformance run. Each method fails with `StaleRun` if another process owns the run. */
export interface Scripts {
  /** Runs the steps of the script, then its clean-up. */
  readonly play: (probe: WritingProbe) => Effect.Effect<Gathered, StaleRun>
  /** Sends the outstanding clean-up requests of one script, or of the whole run. */
  readonly cleanUp: (probe?: string) => Effect.Effect<void, StaleRun>
  /** Waits `seconds` and records the partner's calls meanwhile, unless the run stops. The wait is recorded in the ledger as `step`. */
  readonly listen: (step: string, seconds: number, instruction: string) => Effect.Effect<void, StaleRun>
}

/** Seconds. */
const longestWait = 300
/** Seconds. */
const longestPause = 120
/** Attempts to clean up after one step. */
const mostTries = 2
/** After so many unanswered clean-up requests in a row, the remaining ones are given up: the partner is taken to hang. */
const silenceLimit = 2
/** After so many waits of one kind in a row for which nothing came, that kind is not waited for any more. */
const mostSilences = 2
/** How long is waited for something of a kind that did not come the last time. */
const secondChanceSeconds = 10
/** Idempotent methods: sent again when the answer was lost. */
const repeatable: ReadonlyArray<string> = ["GET", "HEAD", "PUT", "DELETE"]

const waitMillis = (seconds: number, longest: number) => Math.min(Math.max(seconds, 0), longest) * 1000

/** The scripts of one run. Progress is kept in the ledger, evidence of each step in `results`. */
export const makeScripts = (options: ScriptOptions): Scripts => {
  const { arrivals, bend, events, evidence, isNeeded, record, refusedSince, register, results } = options
  const { stageId, stopped, watch, write } = options

  const send = (
    step: string,
    act: Extract<StepAct, { readonly send: ProbeRequest }>,
    undoes: string | undefined,
    anyhow: "anyhow" | undefined
  ): Effect.Effect<Gathered, StaleRun> =>
    Effect.gen(function* () {
      const before = stepIn(events(), step)
      const { send: asking, undo } = act
      const about = asking.about ?? ""
      if (before.is === "done") return { seen: [answeredTo(before.exchange, about)] }
      const method = asking.method ?? "GET"
      if (before.is === "lost" && (!repeatable.includes(method) || asking.registration !== undefined))
        return withheld(
          "not_tested",
          `our worker ended before the answer to ${method} ${asking.module} was recorded, and it is not sent twice`,
          "ours"
        )
      const mark = {
        step,
        ...(undo === undefined ? {} : { undo }),
        ...(undoes === undefined ? {} : { undoes })
      }
      const seen = yield* write(asking, mark, anyhow)
      return "withheld" in seen ? seen : { seen: [{ ...seen, about }] }
    })

  /** Waits until `done` returns something, the deadline (milliseconds since 1970) has passed, or the run stops. */
  const until = <A>(
    deadline: number,
    done: Effect.Effect<A | undefined, StaleRun>
  ): Effect.Effect<A | undefined, StaleRun> =>
    Effect.scoped(
      Effect.gen(function* () {
        const wake = yield* PubSub.subscribe(arrivals)
        return yield* lookUntil({
          millis: deadline - (yield* Clock.currentTimeMillis),
          look: done,
          rest: (millis) => Effect.timeoutOption(Queue.take(wake), millis),
          isOver: () => stopped() !== undefined
        })
      })
    )

  const begin = (step: string, deadlineMillis: number, instruction: string, more: WaitFacts = {}) =>
    Effect.gen(function* () {
      const known = waitIn(events(), step)
      if (known !== undefined) return known
      const deadline = new Date(deadlineMillis).toISOString()
      const since = new Date(yield* Clock.currentTimeMillis).toISOString()
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

  const ended = (
    step: string,
    type: "wait.satisfied" | "wait.expired",
    more: { readonly exchangeId?: string; readonly turnedAwayAt?: string } = {}
  ) => record([{ type, key: `${step}/waited`, stageId: stageId(), data: { step, ...more } }])

  /** When we did not serve a call while that step waited; undefined if we served all. ISO 8601 UTC. */
  const turnedAway = (step: string): Effect.Effect<string | undefined> => {
    const began = events().find((event) => event.type === "wait.started" && event.data.step === step)
    return began === undefined
      ? Effect.succeed(undefined)
      : Effect.map(refusedSince(began.occurredAt), Option.getOrUndefined)
  }

  /** Until when is waited, in milliseconds since 1970, and the reason when that is too short to hold silence against the partner. */
  const planned = (awaiting: Awaiting, silences: ReadonlyArray<Silence>, now: number) => {
    const { kind, shortBecause } = awaiting
    const deadline = Math.max(now, (awaiting.from ?? now) + waitMillis(awaiting.seconds, longestWait))
    const soon = now + secondChanceSeconds * 1000
    const [last] = silences.slice(-1)
    const why =
      last !== undefined && deadline > soon
        ? `no ${kind} came in ${inSeconds(last)} before, so that this one was awaited for ${secondChanceSeconds} s only`
        : shortBecause
    return {
      deadline: last === undefined ? deadline : Math.min(deadline, soon),
      facts: {
        ...(kind === undefined ? {} : { kind }),
        ...(why === undefined ? {} : { shortBecause: why })
      }
    }
  }

  const wait = (step: string, awaiting: Awaiting): Effect.Effect<Gathered, StaleRun> =>
    Effect.gen(function* () {
      const { kind } = awaiting
      const pull = awaiting.by === "second" ? (options.secondWatch?.pull ?? Effect.succeed([])) : watch.pull
      const match = Effect.map(pull, (seen) => seen.find((one) => awaiting.matches(one, evidence)))
      const silences = kind === undefined ? [] : silencesIn(events(), kind)
      if (waitIn(events(), step) === undefined && silences.length >= mostSilences) {
        const early = yield* match
        return early === undefined ? notAwaited(`${kind}`, silences) : { seen: [early] }
      }
      const { deadline, facts } = planned(awaiting, silences, yield* Clock.currentTimeMillis)
      const state = yield* begin(step, deadline, awaiting.instruction, facts)
      if ("exchange" in state && state.exchange !== undefined) return { seen: [calledBy(state.exchange)] }
      const found = yield* until(state.ended ? 0 : Date.parse(state.deadline), match)
      const turnedAwayAt = found === undefined ? yield* turnedAway(step) : undefined
      if (!state.ended)
        yield* found === undefined
          ? ended(step, "wait.expired", turnedAwayAt === undefined ? {} : { turnedAwayAt })
          : ended(step, "wait.satisfied", { exchangeId: found.exchange.id })
      if (found !== undefined) return { seen: [found] }
      const near = nearest(yield* pull, awaiting, evidence)
      const stop = stopped()
      if (stop !== undefined) return withheld("not_tested", stop, "operator")
      if (turnedAwayAt !== undefined) return withheld("not_tested", unserved(turnedAwayAt), "ours")
      return state.shortBecause === undefined
        ? withheld("unobservable", `${awaiting.provoke}${near}`)
        : { ...withheld("unobservable", `${state.shortBecause}${near}`), givenUp: silent(kind, silences) }
    })

  const listen: Scripts["listen"] = (step, seconds, instruction) =>
    Effect.gen(function* () {
      const state = yield* begin(step, (yield* Clock.currentTimeMillis) + seconds * 1000, instruction)
      if (state.ended) return
      yield* until(Date.parse(state.deadline), Effect.as(watch.pull, undefined))
      yield* ended(step, "wait.expired")
    })

  const registering = (
    step: string,
    version: OcpiVersion | undefined,
    anyhow: "anyhow" | undefined
  ): Effect.Effect<Gathered, StaleRun> =>
    Effect.gen(function* () {
      const before = stepIn(events(), step)
      if (before.is === "done") return { seen: [answeredTo(before.exchange)] }
      const seen = yield* register({ step }, version, anyhow)
      return "withheld" in seen ? seen : { seen: [seen] }
    })

  const perform = (
    probe: WritingProbe,
    step: string,
    act: StepAct,
    anyhow: "anyhow" | undefined
  ): Effect.Effect<Gathered, StaleRun> => {
    const bending = "bent" in act ? (act.bent ?? []) : []
    const work = acted(probe, step, act, anyhow)
    return bending.length === 0 ? work : bend(bending, work)
  }

  const acted = (
    probe: WritingProbe,
    step: string,
    act: StepAct,
    anyhow: "anyhow" | undefined
  ): Effect.Effect<Gathered, StaleRun> => {
    if ("send" in act)
      return send(step, act, act.undoes === undefined ? undefined : `${probe.id}#${act.undoes}`, anyhow)
    if ("wait" in act) return wait(step, act.wait)
    if ("register" in act) return registering(step, act.version, anyhow)
    return Effect.as(listen(step, waitMillis(act.pause, longestPause) / 1000, act.instruction), {
      seen: []
    } as Gathered)
  }

  const steps = (probe: WritingProbe): Effect.Effect<Gathered, StaleRun> =>
    Effect.gen(function* () {
      const seen: Array<Observation> = []
      let over: NotGathered | undefined
      let isCut = false
      for (const step of probe.steps) {
        const id = `${probe.id}#${step.id}`
        if (step.forChecks === true && !isNeeded(id)) continue
        const act = step.always === true ? step.act(evidence) : (over ?? step.act(evidence))
        if (act === undefined) continue
        if ("leftOut" in act) {
          results.set(
            id,
            typeof act.leftOut === "string" ? withheld("not_tested", act.leftOut) : withheldBy(act.leftOut)
          )
          continue
        }
        if ("withheld" in act) {
          over = act
          results.set(id, act)
          continue
        }
        const gathered = yield* perform(probe, id, act, step.always === true ? "anyhow" : undefined)
        results.set(id, gathered)
        if (isWithheld(gathered)) {
          isCut ||= gathered.reason === stopped()
          // A wait that saw nothing leaves the following steps meaningful; a request that was not sent does not.
          if (!("wait" in act) || gathered.withheld !== "unobservable") over = gathered
          continue
        }
        seen.push(...gathered.seen)
        const silent = gathered.seen.find(({ exchange }) => exchange.response === null)
        if (silent !== undefined)
          over = withheld(
            "not_tested",
            `${requestName(silent.exchange)} before it was not answered`,
            "network"
          )
      }
      return { seen, ...(isCut ? { stopped: "run" as const } : {}) }
    })

  const cleanUp: Scripts["cleanUp"] = (probe) =>
    Effect.gen(function* () {
      let silences = 0
      for (const { step, tries, undo } of leftovers(events(), probe)) {
        if (tries >= mostTries || silences >= silenceLimit) continue
        const seen = yield* write(undo, { step: undoOf(step), undoes: step }, "anyhow")
        silences = "withheld" in seen || seen.exchange.response !== null ? 0 : silences + 1
      }
    })

  return {
    play: (probe) =>
      Effect.tap(steps(probe), () => (probe.lasting === true ? Effect.void : cleanUp(probe.id))),
    cleanUp,
    listen
  }
}

/** What a wait notes in the ledger beside its deadline. */
interface WaitFacts {
  readonly kind?: string
  readonly shortBecause?: string
}

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

function nearest(seen: ReadonlyArray<Observation>, { nearMiss }: Awaiting, evidence: Evidence): string {
  return missed(seen.flatMap((one) => missOf(one, evidence, nearMiss)))
}
