/** Suites, and conformance runs in this process. */
import { Cause, Context, Duration, Effect, Exit, FiberMap, Layer, Option, RcMap, Schema } from "effect"
import { type SuiteRunAsk, type SuiteRunContext, suiteRun } from "../../../machines/suiteRun.ts"
import { ConnectionId, type OwnerId, PartyId, ReportId, RunId } from "../../../schema/Ids.ts"
import { AcceptedDeviation, Profile, type SuiteDetail } from "../../../schema/Suite.ts"
import { isDatabaseDown } from "../../database/DatabaseDown.ts"
import { newId } from "../../database/newId.ts"
import { standingStill } from "../../database/retry.ts"
import { type EventDraft, Ledger, type RunFacts, type RunRow } from "../../ledger/Ledger.ts"
import { type RequestedAction, type RunKindOf, type RunLog, RunLogs } from "../../ledger/run/RunLog.ts"
import { statusOfState } from "../../ledger/run/runView.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import type { Handshake } from "../../party/registration/Handshake.ts"
import { heedStopWishes } from "../../runs/stopWishes.ts"
import { sweepRuns } from "../../runs/sweep.ts"
import { type Party, PartyStore } from "../../store/parties/PartyStore.ts"
import { ofRun } from "../../telemetry/ofRun.ts"
import { risksAskedFor, type Selection, selected, withholdingIn } from "../catalogue/selection.ts"
import { stagesOf } from "../catalogue/stages.ts"
import { type Suite, suiteById, suites } from "../catalogue/suites.ts"
import type { Check } from "../model/Check.ts"
import { runSuite } from "./SuiteRunner.ts"
import type { SuiteRunOptions } from "./SuiteRunOptions.ts"

export interface StartSuite extends Selection {
  /** Of the run that is to be made; default: a new one. */
  readonly runId?: RunId
  readonly ownerId: OwnerId
  readonly partyId: PartyId
  /** Another connection of the owner at the same partner, which the run may use as a second EMSP. */
  readonly secondId?: PartyId
  readonly connectionLabel: string
  readonly environment: "test" | "production"
  readonly suiteId: string
  readonly profile: Profile
  /** The partner's traffic is waited for this long before what was observed is judged. Default 0. */
  readonly listenSeconds?: number
  /** Deviations that are agreed. */
  readonly accept?: ReadonlyArray<AcceptedDeviation>
}

export interface SuiteRunsOptions {
  /** Exchanges under way to one partner at a time, over all its runs in this process. Default 4. */
  readonly partnerConcurrency?: number
  /** After this long nothing more is sent and the run ends, cut short. Default 15. */
  readonly maxMinutes?: number
  /** How long a partner may go on accepting a token that was replaced, at most 120. Default 60. */
  readonly graceSeconds?: number
  /**
   * The ledger's term: runs that want a worker are looked for ten times within it, and for so long a run stands still
   * while the database is away. Default 9.
   */
  readonly leaseSeconds?: number
  /** Address prefixes that are our own (the sandbox): plain HTTP is no finding there. */
  readonly trustedPrefixes?: ReadonlyArray<string>
}

/** A run that lives in this process. */
interface Active {
  readonly log: RunLog
  readonly record: SuiteRunOptions["record"]
  readonly takeAsk: SuiteRunOptions["takeAsk"]
  readonly stop: (reason: string) => void
  readonly stopped: () => string | undefined
}

/** How a conformance run is replayed. It is never offered decisions: it repeats no write, and goes on by itself. */
export const suiteRunKind: RunKindOf = {
  machine: suiteRun,
  input: ({ plan }) => ({ stages: plan["stages"] }),
  progress: ({ context }) => ({ ...(context as SuiteRunContext).progress, recoveryVersion: 0 }),
  options: () => []
}

export class SuiteRuns extends Context.Tag("conformance/SuiteRuns")<
  SuiteRuns,
  {
    readonly suites: ReadonlyArray<SuiteDetail>
    readonly suite: (id: string) => Option.Option<SuiteDetail>
    /** The caller has checked that the suite fits the connection. */
    readonly start: (order: StartSuite) => Effect.Effect<RunRow>
    /** Stops at the next safe point and keeps what was graded. False: the run is over or not of this process. */
    readonly cancel: (runId: RunId) => Effect.Effect<boolean>
  }
>() {
  /** Runs go on in the layer's scope; when it closes, their leases are given back. */
  static readonly layer = (options: SuiteRunsOptions = {}) => Layer.scoped(SuiteRuns, make(options))
}

const make = (options: SuiteRunsOptions) =>
  Effect.gen(function* () {
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
    const world = yield* Effect.context<Handshake | OcpiClient | PartnerCalls | PartyStore>()
    const fibers = yield* FiberMap.make<RunId>()
    const active = new Map<RunId, Active>()
    const limits = yield* RcMap.make({
      lookup: (_: PartyId) => Effect.makeSemaphore(partnerConcurrency)
    })

    /** From where the run stands to its end; the run's fiber. */
    const live = (log: RunLog, found: SuiteRunOptions["found"], asks: ReadonlyArray<RequestedAction> = []) =>
      Effect.gen(function* () {
        const run = enter(active, log, asks, yield* Effect.makeSemaphore(1))
        const { record, stop, stopped, takeAsk } = run
        const plan = yield* planOf(log.facts, parties)
        if (typeof plan === "string") {
          yield* record([{ type: "run.failed", key: "run/failed", data: { reason: plan } }])
          return
        }
        const permits = yield* RcMap.get(limits, plan.party.id)
        yield* Effect.forkScoped(
          Effect.delay(
            Effect.sync(() => stop(`the time limit of ${maxMinutes} minutes was reached`)),
            Duration.minutes(maxMinutes)
          )
        )
        yield* runSuite({
          ...plan,
          log,
          record,
          takeAsk,
          stopped,
          found,
          trustedPrefixes,
          graceSeconds,
          limit: permits.withPermits(1)
        }).pipe(
          Effect.catchAllDefect((defect) => {
            const cause = Cause.die(defect)
            // Without the database nothing can be said about the run: whoever finds it later goes on with it.
            return isDatabaseDown(cause)
              ? Effect.failCause(cause)
              : Effect.zipRight(
                  Effect.logError("a conformance run broke", cause),
                  record([
                    { type: "run.failed", key: "run/failed", data: { reason: "a fault of the service" } }
                  ])
                )
          })
        )
      }).pipe(
        Effect.scoped,
        standingStill(leaseSeconds),
        Effect.provide(world),
        Effect.catchTag("StaleRun", ({ message }) => Effect.logWarning(message)),
        Effect.onExit((exit) => {
          active.delete(log.facts.runId)
          return log.close(Exit.isSuccess(exit) ? "kept" : "released")
        }),
        ofRun(log.facts.runId)
      )

    const fork = (...work: Parameters<typeof live>) =>
      FiberMap.run(fibers, work[0].facts.runId, live(...work), { onlyIfMissing: true })

    const start = Effect.fn("SuiteRuns.start")(function* (order: StartSuite) {
      const suite = suiteById(order.suiteId)
      if (suite === undefined) return yield* Effect.dieMessage(`no suite ${order.suiteId}: the caller checks`)
      const checks = selected(suite.checks, order)
      const facts = yield* factsOf(order, suite, checks, yield* ledger.now)
      const created: EventDraft = {
        type: "run.created",
        key: "run/created",
        data: { stages: stagesOf(checks), of: checks.length, plan: facts.plan }
      }
      const { asks, log } = yield* Effect.orDie(logs.create(suiteRunKind, facts, [created]))
      const row = log.row()
      yield* fork(log, "new", asks)
      return row
    })

    const cancel = Effect.fn("SuiteRuns.cancel")(function* (runId: RunId) {
      const run = active.get(runId)
      if (run === undefined || run.log.machine().hasTag("terminal")) return false
      run.stop("the run was cancelled")
      yield* Effect.ignore(run.record([{ type: "cancel.requested", key: "cancel/requested" }]))
      return ["cancelling", "cancelled"].includes(statusOfState(run.log.machine().value))
    })

    yield* sweepRuns({
      name: "conformance",
      kind: suiteRunKind,
      leaseSeconds,
      takeUp: (log, { released }) => fork(log, released ? "released" : "lost")
    })
    yield* heedStopWishes(cancel)

    return SuiteRuns.of({
      suites: suites.map(({ detail }) => detail),
      suite: (id) => Option.map(Option.fromNullable(suiteById(id)), ({ detail }) => detail),
      start,
      cancel
    })
  })

/** Makes the run known to `cancel`, with one writer at a time. */
function enter(
  active: Map<RunId, Active>,
  log: RunLog,
  asks: ReadonlyArray<RequestedAction>,
  turn: Effect.Semaphore
): Active {
  let reason: string | undefined
  // Runs of this kind are folded by the suite machine only.
  let ask = asks.at(-1) as SuiteRunAsk | undefined
  const run: Active = {
    log,
    record: (drafts) =>
      turn.withPermits(1)(
        Effect.suspend(() =>
          log.machine().hasTag("terminal") ? Effect.succeed([]) : log.record(drafts)
        ).pipe(
          Effect.map((asked) => {
            ask = (asked.at(-1) as SuiteRunAsk | undefined) ?? ask
          })
        )
      ),
    takeAsk: () => {
      const asked = log.machine().hasTag("terminal") ? undefined : ask
      ask = undefined
      return asked
    },
    stop: (why) => {
      reason ??= why
    },
    stopped: () => reason
  }
  active.set(log.facts.runId, run)
  return run
}

function factsOf(
  order: StartSuite,
  suite: Suite,
  checks: ReadonlyArray<Check>,
  createdAt: string
): Effect.Effect<RunFacts> {
  return Effect.gen(function* () {
    return {
      runId: order.runId ?? RunId.make(yield* newId("run")),
      reportId: ReportId.make(yield* newId("report")),
      ownerId: order.ownerId,
      kind: "conformance",
      connectionId: ConnectionId.make(order.partyId),
      connectionLabel: order.connectionLabel,
      ocpiVersion: suite.detail.ocpiVersion,
      subjectId: order.suiteId,
      plan: {
        profile: order.profile,
        environment: order.environment,
        stages: stagesOf(checks),
        checks: checks.map(({ id }) => id),
        risks: risksAskedFor(checks, order),
        listenSeconds: order.listenSeconds ?? 0,
        ...(order.secondId === undefined ? {} : { secondConnectionId: order.secondId }),
        ...(order.accept === undefined ? {} : { accept: order.accept })
      },
      predecessorRunId: null,
      createdAt
    }
  })
}

/** What the run's facts mean in this process, or why it cannot be run any more. */
function planOf(facts: RunFacts, parties: PartyStore["Type"]) {
  return Effect.gen(function* () {
    const suite = suiteById(facts.subjectId)
    if (suite === undefined) return `this release has no suite ${facts.subjectId}`
    const party = yield* parties.find(PartyId.make(facts.connectionId))
    if (Option.isNone(party)) return "the connection was deleted"
    const ids = facts.plan["checks"]
    const checks = suite.checks.filter(({ id }) => Array.isArray(ids) && ids.includes(id))
    const profile = Schema.is(Profile)(facts.plan["profile"]) ? facts.plan["profile"] : "lenient"
    const { accept, environment, listenSeconds, risks, secondConnectionId: secondId } = facts.plan
    const second =
      typeof secondId === "string" ? yield* parties.find(PartyId.make(secondId)) : Option.none<Party>()
    const isAskedFor = (check: Check) => Array.isArray(risks) && risks.includes(check.id)
    return {
      withholding: withholdingIn(environment === "production", isAskedFor),
      listenSeconds: typeof listenSeconds === "number" ? listenSeconds : 0,
      party: party.value,
      second: Option.getOrUndefined(second),
      checks,
      scope: suite.scope,
      profile,
      accept: Schema.is(Schema.Array(AcceptedDeviation))(accept) ? accept : []
    }
  })
}
