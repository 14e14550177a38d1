/**
 * Runs one conformance run from its present state to its end. The machine asks for a stage; the runner gathers its
 * evidence and grades its checks. Every step is in the ledger before the next one begins.
 */
import { Clock, Effect, Option, Redacted } from "effect"
import type { Assertion } from "../../../schema/Assertion.ts"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import type { RunLog } from "../../ledger/run/RunLog.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { inboundAuthorization } from "../../ocpi/tokens.ts"
import { withInjectedFaults } from "../../party/inbound/faultInjection.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import type { Handshake } from "../../party/registration/Handshake.ts"
import { placeholder } from "../../redaction/scrub.ts"
import { RefusedCalls } from "../../store/parties/exchanges/RefusedCalls.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import { probesOf } from "../catalogue/probes.ts"
import { type Check, probesFor } from "../model/Check.ts"
import {
  type EvidenceBasis,
  type Gathered,
  isWithheld,
  makeEvidence,
  type Observation,
  probeOf,
  type TokenFacts
} from "../model/Evidence.ts"
import type { Source, WritingProbe } from "../model/Probe.ts"
import { phaseOf, stageOf, stagesOf } from "../model/stages.ts"
import { publishedSite, siteNeeds } from "../modules/charge/publishedSite.ts"
import { evsesFor, targetProbes } from "../modules/commands/commandTargets.ts"
import { cardsWait } from "../modules/tokens/shownCardsProbes.ts"
import { endCancelled, endCompleted } from "./endings.ts"
import { type Gathering, gather, gatherObserved } from "./gather.ts"
import { stepAnswers, waitIn } from "./journal.ts"
import { makeGrader } from "./makeGrader.ts"
import { answerSeen } from "./observations.ts"
import { makeProber, type Prober, throughConnection } from "./Prober.ts"
import { makeScripts } from "./Scripts.ts"
import type { SuiteRunOptions } from "./SuiteRunOptions.ts"
import { makeSite } from "./siteOfRun.ts"
import { makeWatch } from "./Watch.ts"

/** Performs the machine's requested actions until a terminal event. Fails only when another process owns the run. */
export const runSuite = Effect.fnUntraced(function* (
  options: SuiteRunOptions
): Effect.fn.Return<void, StaleRun, Handshake | OcpiClient | PartnerCalls | PartyStore> {
  if (options.origin !== "new") yield* recordResumed(options)
  let stages: Effect.Effect.Success<ReturnType<typeof makeStageRunner>> | undefined
  for (let action = options.takeAction(); action !== undefined; action = options.takeAction()) {
    if (action.type === "begin") {
      yield* begin(options)
      continue
    }
    // Not before `run.started`, which records the time and the partner's newest call at that time.
    stages ??= yield* makeStageRunner(options)
    if (action.type === "runModule") {
      yield* stages.runStage(action.params.stageId)
      continue
    }
    yield* stages.cleanUp
    // A request to stop may have arrived during the clean-up.
    const end = options.takeAction() ?? action
    yield* end.type === "stop" ? endCancelled(options, stages.gradeOpen) : endCompleted(options)
    yield* stages.dropEvses
  }
})

const begin = Effect.fnUntraced(function* ({ party, record, second }: SuiteRunOptions) {
  const store = yield* PartyStore
  const armedAt = yield* store.head(party.id)
  const data = second === undefined ? { armedAt } : { armedAt, secondArmedAt: yield* store.head(second.id) }
  return yield* record([{ type: "run.started", key: "run/started", data }])
})

const lost =
  "The worker was lost. Unfinished stages are graded again: what was read is read again, a write that was answered is not sent again."

/** Records that a run found without a worker is resumed; its machine then asks for the next stage. */
function recordResumed({ log, origin, record }: SuiteRunOptions) {
  const key = `${log.epoch}/run`
  const interrupted: ReadonlyArray<EventDraft> =
    origin === "lost" && log.machine().can({ type: "run.interrupted" })
      ? [{ type: "run.interrupted", key: `${key}/interrupted`, data: { reason: lost } }]
      : []
  return record([...interrupted, { type: "run.resumed", key: `${key}/resumed` }])
}

/** Gathers and grades the stages of a run, and cleans up after them. All of them share the evidence. */
const makeStageRunner = Effect.fnUntraced(function* (options: SuiteRunOptions) {
  const {
    buffer,
    checks,
    environment,
    listenSeconds,
    log,
    party,
    record,
    scope,
    second,
    stopped,
    withholding
  } = options
  const store = yield* PartyStore
  let stage = stagesOf(checks)[0] ?? ""
  const stageId = () => stage
  const results = new Map<string, Gathered>()
  const refusedCalls = yield* Effect.serviceOption(RefusedCalls)
  const tokens = yield* store.tokens(party.id)
  const start = log.events().find(isEventOf("run.started"))
  let claims = { own: yield* options.evses.own, others: yield* options.evses.ofOthers }
  const basis: EvidenceBasis = {
    evses: { claims: () => claims },
    party,
    profile: scope.profile,
    startedAt: start?.occurredAt ?? log.facts.createdAt,
    trustedPrefixes: options.trustedPrefixes,
    mark: markOf(log),
    graceSeconds: options.graceSeconds,
    listenSeconds,
    ...(second === undefined ? {} : { second }),
    tokens: tokens.map(factsOf)
  }
  const evidence = makeEvidence(basis, results)
  const seen = () => [...results.values()].flatMap((one) => (isWithheld(one) ? [] : one.seen))
  const prober = yield* makeProber({ ...options, stageId, seen })
  const { armedAt = 0, secondArmedAt = 0 } = start?.data ?? {}
  const watch = makeWatch({ store, party, record, stageId, armedAt })
  const secondWatch =
    second === undefined
      ? undefined
      : makeWatch({
          store,
          party: second,
          record,
          stageId,
          armedAt: secondArmedAt,
          data: throughConnection(second)
        })
  const needs = (check: Check) => (withholding(check) === undefined ? probesFor(check, scope) : [])
  const needed = new Set(checks.flatMap(needs))
  const scripts = makeScripts({
    events: log.events,
    record,
    stageId,
    stopped,
    write: prober.write,
    register: prober.register,
    injectFaults: (faults, work) =>
      Effect.provideService(withInjectedFaults(party.id, log.facts.runId, faults)(work), PartyStore, store),
    watch,
    ...(secondWatch === undefined ? {} : { secondWatch }),
    arrivals: store.arrivals,
    evidence,
    results,
    isNeeded: (step) => needed.has(step) || needed.has(probeOf(step)),
    refusedSince: (since) =>
      Option.isNone(refusedCalls) ? Effect.succeedNone : refusedCalls.value.lastSince(since, party.id)
  })
  const state = {
    probes: probesOf(scope.profile, scope.role),
    results,
    evidence,
    send: prober.send,
    script: (probe: WritingProbe) =>
      Effect.tap(scripts.play(probe), () =>
        probe.targets === undefined || stopped() !== undefined
          ? Effect.void
          : options.evses.release(probe.targets)
      ),
    inbound: (source: Source) =>
      source === "answers" ? Effect.sync(() => ({ seen: answersIn(log, prober) })) : watch.source(source)
  }

  const grade = makeGrader(options, store, evidence)
  /** Grades checks of stages that the run does not come to, on what was gathered for others and what the partner did. */
  const gradeOpen = Effect.fnUntraced(function* (
    open: ReadonlyArray<Check>
  ): Effect.fn.Return<ReadonlyArray<Assertion>, StaleRun> {
    // Before it began, nothing was observed.
    if (start !== undefined) {
      if (!isWatchOver) forgetCalls(state)
      yield* gatherObserved(
        state,
        open.flatMap((check) => check.needs(scope))
      )
    }
    return yield* grade(open, stopped() ?? "the run was cancelled")
  })

  /** The scripts that may run beside others are begun with the first stage that writes: waits then go on side by side. */
  const besideNeeds = checks
    .filter((check) => phaseOf(check) === "write")
    .flatMap(needs)
    .filter((id) => {
      const probe = state.probes.get(probeOf(id))
      return probe !== undefined && "steps" in probe && probe.beside !== undefined
    })

  const site = makeSite({ checks, environment, evidence, party, scope, store, withholding })

  /** What the scripts of the run need EVSEs for. */
  const wanted = [...state.probes.values()].flatMap((probe) =>
    "steps" in probe && [...needed].some((id) => probeOf(id) === probe.id) ? (probe.targets ?? []) : []
  )
  /** Takes the EVSEs of all scripts at once, before the first of them; what a process before this one has taken is kept. */
  const takeEvses = Effect.gen(function* () {
    if (wanted.length === 0 || claims.own.length > 0) return
    yield* gather(state, targetProbes)
    claims = yield* options.evses.claim((others) => evsesFor(evidence, wanted, others))
  })

  let isWatchOver = false
  const runStage = Effect.fnUntraced(function* (stageId: string): Effect.fn.Return<void, StaleRun> {
    stage = stageId
    const attempt =
      log.events().filter((event) => event.type === "stage.started" && event.stageId === stageId).length + 1
    const key = `${stageId}/${attempt}`
    yield* buffer([{ type: "stage.started", key: `${key}/started`, stageId }])
    const own = checks.filter((check) => stageOf(check) === stageId)
    if (own.some((check) => phaseOf(check) === "watch")) {
      if (listenSeconds > 0 && site.isWanted && !isWatchOver) {
        yield* gather(state, siteNeeds)
        yield* site.open
        yield* gather(state, [publishedSite])
      }
      if (listenSeconds > 0) {
        const left = Math.ceil(listenSeconds - (yield* listenedSeconds(log)))
        // What another process has begun is brought to its end.
        if (left > 0 || waitIn(log.events(), listeningStep) !== undefined)
          yield* scripts.listen(listeningStep, Math.max(0, left), `${listening} for ${left} seconds`)
      }
      if (!isWatchOver) forgetCalls(state)
      isWatchOver = true
    }
    if (own.some((check) => phaseOf(check) === "write")) yield* takeEvses
    yield* gather(state, [
      ...own.flatMap(needs),
      ...(own.some((check) => phaseOf(check) === "write") ? besideNeeds : [])
    ])
    const assertions = yield* grade(own, stopped())
    return yield* record([
      { type: "assertions.recorded", key: `${key}/assertions`, stageId, assertions },
      { type: "stage.completed", key: `${key}/completed`, stageId }
    ])
  })
  return {
    runStage,
    gradeOpen,
    cleanUp: Effect.zipRight(scripts.cleanUp(), site.close),
    dropEvses: Effect.suspend(() => (claims.own.length > 0 ? options.evses.drop : Effect.void))
  }
})

/** Every answer of the run to what it has asked over OCPI, those to the steps that another process has sent first. */
function answersIn({ events }: RunLog, prober: Prober): ReadonlyArray<Observation> {
  const own = prober.answers()
  const known = new Set(own.map(({ exchange }) => exchange.id))
  const earlier = stepAnswers(events()).filter(({ id, response }) => response !== null && !known.has(id))
  return [...earlier.map((exchange) => answerSeen(exchange)), ...own]
}

const listeningStep = "listening"
const listening = "Listening to what the partner sends us"

/** For how many seconds the run has listened while it waited for cards to be shown: a person is not made to wait for both in turn. */
const listenedSeconds = ({ events }: RunLog): Effect.Effect<number> => {
  const wait = events()
    .filter(isEventOf("wait.started"))
    .find(({ data }) => data.step === cardsWait)
  return wait === undefined
    ? Effect.succeed(0)
    : Effect.map(Clock.currentTimeMillis, (now) => (now - Date.parse(wait.occurredAt)) / 1000)
}

/** Drops the partner's calls that reading checks have gathered: more may have come since. */
function forgetCalls({ probes, results }: Pick<Gathering<never>, "probes" | "results">): void {
  for (const [id, probe] of probes) if ("source" in probe) results.delete(id)
}

/** Prefix of the ids of the run's test objects: the same in each process, another one in each run. */
function markOf({ facts }: RunLog): string {
  return `TST-${facts.runId.slice(-6).toUpperCase()}`
}

function factsOf({ name, slot, value }: PartyToken): TokenFacts {
  const text = Redacted.value(value)
  return {
    name,
    slot,
    placeholder: placeholder(name, text),
    length: text.length,
    printable: /^[\x21-\x7e]+$/.test(text),
    encoded: inboundAuthorization(`Token ${text}`)?.candidates.length === 2
  }
}
