/** Starts, cancels and takes over conformance runs in this process. */
import { Context, Duration, Effect, Either, Layer, Option, RcMap } from "effect"
import type { SuiteRunAction, SuiteRunContext } from "../../../machines/suiteRun.ts"
import { connectionOf, type OwnerId, type PartyId, partyOf, ReportId, RunId } from "../../../schema/Ids.ts"
import { decodeSuitePlan, type SuitePlan } from "../../../schema/ledger/SuitePlan.ts"
import type {
  AcceptedDeviation,
  ModuleNotJudged,
  Profile,
  SelectionOrder,
  SuiteDetail
} from "../../../schema/Suite.ts"
import { newId } from "../../database/newId.ts"
import type { Feed } from "../../ledger/feed/feed.ts"
import { type EventDraft, Ledger, type RunFacts, type RunRow } from "../../ledger/Ledger.ts"
import { RunLogs } from "../../ledger/run/RunLog.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import type { Handshake } from "../../party/registration/Handshake.ts"
import type { Placement } from "../../placement/Placement.ts"
import { makeEvseClaims } from "../../runs/evseClaims.ts"
import { CannotGoOn, type HeldRun, makeRunHost, type Worker } from "../../runs/RunHost.ts"
import { type NotStopped, stopRun } from "../../runs/stopRun.ts"
import { sweepRuns } from "../../runs/sweep.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { needsOf } from "../catalogue/needs.ts"
import { risksAskedFor, type Selection, selected, withholdingIn } from "../catalogue/selection.ts"
import { notJudgedOf, type Suite, suiteById, suites } from "../catalogue/suites.ts"
import type { Check } from "../model/Check.ts"
import { stagesOf } from "../model/stages.ts"
import { acceptedBefore } from "./acceptedBefore.ts"
import { runSuite } from "./runSuite.ts"
import { suiteRunKind } from "./suiteRunKind.ts"

/** An order of a conformance run. */
export interface StartSuite extends Selection {
  /** Id of the new run; default: a generated one. */
  readonly runId?: RunId
  readonly ownerId: OwnerId
  readonly partyId: PartyId
  /** Another connection of the owner at the same partner, which the run may use as a second EMSP. */
  readonly secondId?: PartyId
  readonly connectionLabel: string
  readonly environment: "test" | "production"
  readonly suiteId: string
  /** How the caller selected the checks, as the report shows it. */
  readonly selection?: typeof SelectionOrder.Type
  readonly profile: Profile
  /** How long the run waits for the partner's traffic before it grades the checks that observe it. Default 0. */
  readonly listenSeconds?: number
  /** Accepted deviations of the partner. */
  readonly accept?: ReadonlyArray<AcceptedDeviation>
}

/** Limits of all conformance runs in this process. */
interface SuiteRunsOptions {
  /** Concurrent exchanges with one partner, over all its runs in this process. Default 4. */
  readonly partnerConcurrency?: number
  /** After so many minutes the run sends nothing more and ends, cut short. Default 15. */
  readonly maxMinutes?: number
  /** How long a partner may go on accepting a token that was replaced, at most 120. Default 60. */
  readonly graceSeconds?: number
  /**
   * Duration of a lease in the ledger. This process looks for runs without a worker ten times within it, and a run pauses
   * for at most so long while the database is unavailable. Default 9.
   */
  readonly leaseSeconds?: number
  /** URL prefixes of our own (the sandbox), where plain HTTP is no finding. */
  readonly trustedPrefixes?: ReadonlyArray<string>
}

/** The suites, and the conformance runs of this process. */
export class SuiteRuns extends Context.Tag("conformance/SuiteRuns")<
  SuiteRuns,
  {
    /** All suites, older versions first. */
    readonly suites: ReadonlyArray<SuiteDetail>
    readonly suite: (id: string) => Option.Option<SuiteDetail>
    /** Creates the run and starts working on it. The caller has checked that the suite exists and fits the connection. */
    readonly start: (order: StartSuite) => Effect.Effect<RunRow>
    /** Stops the run at the next safe point, whichever process works on it, and keeps what was graded. */
    readonly cancel: (ownerId: OwnerId, runId: RunId) => Effect.Effect<RunRow, NotStopped>
  }
>() {
  /** Runs live in the layer's scope; when it closes, their leases are released. */
  static readonly layer = (options: SuiteRunsOptions = {}) => Layer.scoped(SuiteRuns, make(options))
}

const make = Effect.fnUntraced(function* (options: SuiteRunsOptions) {
  const {
    graceSeconds = 60,
    leaseSeconds = 9,
    maxMinutes = 15,
    partnerConcurrency = 4,
    trustedPrefixes = []
  } = options
  const ledger = yield* Ledger
  const logs = yield* RunLogs
  const parties = yield* PartyStore
  const context = yield* Effect.context<Handshake | OcpiClient | PartnerCalls | PartyStore>()
  const limits = yield* RcMap.make({
    lookup: (_: PartyId) => Effect.makeSemaphore(partnerConcurrency)
  })

  const openedBefore = Effect.fnUntraced(function* (facts: RunFacts) {
    const tokens = yield* parties.tokens(partyOf(facts.connectionId))
    const token = tokens.find(({ slot }) => slot === "outbound")
    return token === undefined ? undefined : yield* acceptedBefore(ledger, facts, token)
  })

  const makeWorker = Effect.fnUntraced(function* (run: HeldRun<SuiteRunAction, SuiteRunContext>) {
    const plan = yield* planOf(run.log.facts, parties)
    if (typeof plan === "string") return yield* new CannotGoOn({ reason: plan })
    const permits = yield* RcMap.get(limits, plan.party.id)
    let reason: string | undefined
    const stop = (why: string) =>
      Effect.sync(() => {
        reason ??= why
      })
    yield* Effect.forkScoped(
      Effect.delay(stop(`the time limit of ${maxMinutes} minutes was reached`), Duration.minutes(maxMinutes))
    )
    const worker: Worker = {
      work: Effect.provide(
        runSuite({
          ...plan,
          ...run,
          openedBefore: openedBefore(run.log.facts),
          evses: makeEvseClaims(ledger, parties, run.log),
          stopped: () => reason,
          trustedPrefixes,
          graceSeconds,
          limit: permits.withPermits(1)
        }),
        context
      ),
      stop: Effect.zipRight(
        stop("the run was cancelled"),
        Effect.ignore(run.record([{ type: "cancel.requested", key: "cancel/requested" }]))
      ),
      // No need to wait: the process that takes the run over repeats the unfinished stage.
      drain: Effect.void
    }
    return worker
  })

  const host = yield* makeRunHost<SuiteRunAction, Worker, never, SuiteRunContext>({
    leaseSeconds,
    drainLimit: 0,
    makeWorker
  })

  const start = traced("SuiteRuns.start")(function* (order: StartSuite) {
    const suite = suiteById(order.suiteId)
    if (suite === undefined) return yield* Effect.dieMessage(`no suite ${order.suiteId}: the caller checks`)
    const checks = selected(suite.checks, order)
    const party = yield* parties.find(order.partyId)
    const endpoints = Option.match(party, {
      onNone: () => [],
      onSome: ({ counterpart }) => counterpart.endpoints
    })
    const notJudged = notJudgedOf(
      suite,
      endpoints.map(({ identifier }) => identifier)
    )
    const facts = yield* factsOf({ order, suite, checks, notJudged }, yield* ledger.now)
    const created: EventDraft = {
      type: "run.created",
      key: "run/created",
      data: { stages: stagesOf(checks), of: checks.length, plan: facts.plan }
    }
    const { actions, log } = yield* Effect.orDie(logs.create(suiteRunKind, facts, [created]))
    const row = log.row()
    yield* host.launch(log, actions, "new")
    return row
  })

  const stopContext = yield* Effect.context<Feed | Ledger | RunLogs | Placement>()
  const cancel = traced("SuiteRuns.cancel")((ownerId: OwnerId, runId: RunId) =>
    Effect.provide(stopRun({ host, ownerId, runId }), stopContext)
  )

  yield* sweepRuns({
    kind: suiteRunKind,
    leaseSeconds,
    onClaimed: (log, { released }) => host.launch(log, [], released ? "released" : "lost")
  })

  return SuiteRuns.of({
    suites: suites.map(({ detail }) => detail),
    suite: (id) => Option.map(Option.fromNullable(suiteById(id)), withNeeds),
    start,
    cancel
  })
})

/** The suite as it is shown, each check with what it needs. */
function withNeeds({ checks, detail, scope }: Suite): SuiteDetail {
  const needOf = needsOf(scope)
  const needs = new Map(checks.map((check) => [check.id, needOf(check)]))
  const needed = (id: string) => {
    const need = needs.get(id)
    return need === undefined ? {} : { need }
  }
  return { ...detail, checks: detail.checks.map((check) => ({ ...check, ...needed(check.id) })) }
}

/** An accepted order: what is to be run of its suite, and which modules no check judges. */
interface AcceptedSuite {
  readonly order: StartSuite
  readonly suite: Suite
  readonly checks: ReadonlyArray<Check>
  readonly notJudged: ReadonlyArray<ModuleNotJudged>
}

const factsOf = Effect.fnUntraced(function* (
  { checks, notJudged, order, suite }: AcceptedSuite,
  createdAt: string
): Effect.fn.Return<RunFacts> {
  return {
    runId: order.runId ?? RunId.make(yield* newId("run")),
    reportId: ReportId.make(yield* newId("report")),
    ownerId: order.ownerId,
    kind: "conformance",
    connectionId: connectionOf(order.partyId),
    connectionLabel: order.connectionLabel,
    ocpiVersion: suite.detail.ocpiVersion,
    subjectId: order.suiteId,
    plan: {
      profile: order.profile,
      environment: order.environment,
      stages: stagesOf(checks),
      checks: checks.map(({ id }) => id),
      ...(order.selection === undefined ? {} : { selection: order.selection }),
      risks: risksAskedFor(checks, order),
      ...(notJudged.length === 0 ? {} : { notJudged }),
      ...(order.needs === undefined ? {} : { needs: order.needs }),
      listenSeconds: order.listenSeconds ?? 0,
      ...(order.secondId === undefined ? {} : { secondConnectionId: connectionOf(order.secondId) }),
      ...(order.accept === undefined ? {} : { accept: order.accept })
    } satisfies SuitePlan,
    predecessorRunId: null,
    createdAt
  }
})

/** The run's checks, connections and settings, resolved from its facts; or, as a string, why it can no longer run. */
const planOf = Effect.fnUntraced(function* (facts: RunFacts, parties: PartyStore["Type"]) {
  const suite = suiteById(facts.subjectId)
  if (suite === undefined) return `this release has no suite ${facts.subjectId}`
  const party = yield* parties.find(partyOf(facts.connectionId))
  if (Option.isNone(party)) return "the connection was deleted"
  const stored = decodeSuitePlan(facts.plan)
  if (Either.isLeft(stored)) return "this release cannot read the plan of the run"
  const { accept = [], environment = "test", listenSeconds = 0, needs, profile = "lenient" } = stored.right
  const { checks: ids, risks = [], secondConnectionId: secondId } = stored.right
  const checks = suite.checks.filter(({ id }) => ids.includes(id))
  const second = secondId === undefined ? Option.none<Party>() : yield* parties.find(partyOf(secondId))
  return {
    withholding: withholdingIn(environment, ({ id }) => risks.includes(id)),
    needOf: needsOf(suite.scope),
    needs,
    environment,
    listenSeconds,
    party: party.value,
    second: Option.getOrUndefined(second),
    checks,
    scope: suite.scope,
    profile,
    accept
  }
})
