/**
 * Operator commands on a run: decide about an interrupted run, answer a checkpoint, cancel. A process that does not work
 * on the run claims it, or passes the command on.
 */

import { Effect, Either, Option } from "effect"
import { type OwnerId, partyOf, type RunId } from "../../../schema/Ids.ts"
import type { LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import type { Decision, RecoveryOption } from "../../../schema/Recovery.ts"
import { Notifications } from "../../database/Notifications.ts"
import { newId } from "../../database/newId.ts"
import { briefly } from "../../database/retry.ts"
import type { Feed } from "../../ledger/feed/feed.ts"
import { type EventDraft, Ledger, type RunFacts, type RunRow } from "../../ledger/Ledger.ts"
import { type RunLog, RunLogs } from "../../ledger/run/RunLog.ts"
import type { Placement } from "../../placement/Placement.ts"
import { askAndFollow } from "../../runs/askAndFollow.ts"
import { claimRun } from "../../runs/claimRun.ts"
import { stopRun } from "../../runs/stopRun.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { forwardAnswer } from "../actor/forwardedAnswers.ts"
import type { OperatorAnswer } from "../actor/RunMessage.ts"
import { successorOf } from "../actor/recover.ts"
import { NotAccepted } from "../NotAccepted.ts"
import { journeyKind } from "../recovery/journeyKind.ts"
import { type JourneyHost, orDown } from "./journeyHost.ts"

/**
 * A decision about an interrupted run. Without `decision`, the recommended one; without `recoveryVersion`, the present
 * offer.
 */
interface DecisionRequest {
  readonly decision?: Decision
  readonly recoveryVersion?: number
}

const pollMillis = 50
/** Attempts to claim a run that is still held, by the process that interrupted it or for another decision: two seconds. */
const claimAttempts = 40

const refuse = (kind: NotAccepted["kind"], message: string) => new NotAccepted({ kind, message })

/** What the commands need beside the services. */
interface RunControlOptions {
  /** Duration of a lease in the ledger. */
  readonly leaseSeconds: number
  /** Fails if a successor of the run cannot be started. */
  readonly mayRestart: (row: RunRow) => Effect.Effect<void, NotAccepted>
}

/**
 * The commands `recover` and `answer`, which fail with `NotAccepted` if the run's state does not allow them, and `cancel`, which
 * fails with `NotStopped`.
 */
export const makeRunControls = Effect.fnUntraced(function* (
  host: JourneyHost,
  { leaseSeconds, mayRestart }: RunControlOptions
) {
  const ledger = yield* Ledger
  const logs = yield* RunLogs
  const store = yield* PartyStore
  const context = yield* Effect.context<Feed | Ledger | RunLogs | Placement>()
  const notifications = yield* Effect.serviceOption(Notifications)

  const rowOf = Effect.fnUntraced(function* (ownerId: OwnerId, runId: RunId) {
    const live = logs.live(runId)
    if (live !== undefined && live.facts.ownerId === ownerId) return live
    const row = yield* orDown(ledger.run(ownerId, runId))
    return yield* Option.match(row, {
      onNone: () => Effect.fail(refuse("state", `There is no run ${runId}`)),
      onSome: Effect.succeed
    })
  })

  /** Was this decision applied to this version of the offer already? */
  const applied = Effect.fnUntraced(function* (runId: RunId, decision: Decision, version: number) {
    const lines = yield* orDown(ledger.page(runId, 0, 100, { type: "recovery.applied" }))
    return lines
      .map(({ line }): LedgerEventOf<"recovery.applied"> => JSON.parse(line)) // lines that we wrote
      .some(({ data }) => data.version === version && data.decision === decision)
  })

  /**
   * Claims the run, appends the event and launches the run, even if the caller is interrupted meanwhile. None if another
   * process was faster, or the machine no longer accepts the event.
   */
  const claimAndRecord = Effect.fnUntraced(
    function* (runId: RunId, draftOf: (log: RunLog) => EventDraft | undefined) {
      const claiming = claimRun(journeyKind, runId, { leaseSeconds, fromInterrupted: true, retry: briefly })
      const claimed = yield* orDown(claiming)
      if (Option.isNone(claimed)) return Option.none<RunRow>()
      const { log } = claimed.value
      const recorded = Effect.gen(function* () {
        const draft = draftOf(log)
        if (draft === undefined) {
          // Keep the lease of a run that was lost, so that the process that claims it next finds it lost, not released.
          yield* log.close(log.machine().value === "interrupted" ? "released" : "expiring")
          return Option.none<RunRow>()
        }
        const actions = yield* Effect.either(log.record([draft]))
        if (Either.isLeft(actions)) {
          yield* log.close("expiring")
          return Option.none<RunRow>()
        }
        const row = log.row()
        yield* host.launch(log, actions.right, "released")
        return Option.some(row)
      })
      // As in a sweep: a run that is held without a worker would stand still for as long as this process lives.
      return yield* Effect.onError(recorded, () => log.close("expiring"))
    },
    Effect.uninterruptible,
    Effect.provide(context)
  )

  const recover = traced("JourneyRuns.recover")(function* (
    ownerId: OwnerId,
    runId: RunId,
    request: DecisionRequest
  ) {
    const row = yield* rowOf(ownerId, runId)
    const { recoveryOptions, recoveryVersion, status } = row.snapshot.view
    const version = request.recoveryVersion ?? recoveryVersion
    if (request.decision !== undefined && (yield* applied(runId, request.decision, version))) {
      // Without a version, a repeated request can only mean this decision, unless the run is interrupted again.
      // The row may be of before that decision, and offer it once more: read it again.
      if (request.recoveryVersion !== undefined || status !== "interrupted")
        return yield* rowOf(ownerId, runId)
    }
    if (status !== "interrupted") {
      return yield* refuse("state", `Run ${runId} is ${status}: only an interrupted run takes a decision`)
    }
    if (version !== recoveryVersion) {
      return yield* refuse(
        "stale",
        `recoveryVersion ${version} is not the present one, ${recoveryVersion}; read the run again`
      )
    }
    const decision = yield* chosen(request.decision, recoveryOptions)
    if (decision === "restart_as_new") yield* mayRestart(row)
    const successorRunId = yield* newId("run")
    const decided = (log: RunLog): EventDraft | undefined => {
      const data = {
        decision,
        version,
        ...(decision === "restart_as_new"
          ? { successorRunId: successorOf(log.events()) ?? successorRunId }
          : {})
      }
      return log.machine().can({ type: "recovery.applied", data })
        ? { type: "recovery.applied", key: `recovery/${version}/applied`, data }
        : undefined
    }
    for (let attempt = 0; attempt < claimAttempts; attempt++) {
      const taken = yield* claimAndRecord(runId, decided)
      if (Option.isSome(taken)) return taken.value
      // Read the row first: a decision that is applied between the two reads is then not missed.
      const { view } = (yield* rowOf(ownerId, runId)).snapshot
      if (yield* applied(runId, decision, version)) return yield* rowOf(ownerId, runId)
      if (view.status !== "interrupted" || view.recoveryVersion !== version) {
        return yield* refuse("stale", `Another decision about version ${version} of run ${runId} was faster`)
      }
      yield* Effect.sleep(pollMillis)
    }
    return yield* refuse(
      "state",
      `Run ${runId} has not been released by the process that interrupted it; try again shortly`
    )
  })

  const cancel = traced("JourneyRuns.cancel")((ownerId: OwnerId, runId: RunId) =>
    stopRun({
      ownerId,
      runId,
      host,
      claimAndStop: claimAndRecord(runId, (log) =>
        log.machine().can({ type: "cancel.requested" })
          ? { type: "cancel.requested", key: "cancel/requested" }
          : undefined
      )
    }).pipe(Effect.provide(context))
  )

  /**
   * Forwards the answer to the process that works on the run. False if the question is closed or has another answer; undefined
   * if that process did not react.
   */
  const answeredElsewhere = Effect.fnUntraced(
    function* ({ connectionId, ownerId, runId }: RunFacts, attested: OperatorAnswer) {
      const question = { type: "checkpoint.requested" } as const
      const asked = (yield* orDown(ledger.page(runId, 0, 100, question))).at(-1)?.sequence
      if (asked === undefined) return false
      const partyId = partyOf(connectionId)
      yield* forwardAnswer({ partyId, runId, asked }, attested)
      const notify = Option.match(notifications, {
        onNone: () => Effect.void,
        onSome: ({ party }) => party.publish(partyId)
      })
      const accepted = Effect.gen(function* () {
        // Read the row first: an answer that is recorded between the two reads is then not missed.
        const { view } = (yield* rowOf(ownerId, runId)).snapshot
        const [said] = yield* orDown(ledger.page(runId, asked, 1, { type: "checkpoint.answered" }))
        if (said !== undefined) {
          const { data }: LedgerEventOf<"checkpoint.answered"> = JSON.parse(said.line) // a line that we wrote
          return Option.some(data.answer === attested.answer && data.note === attested.note)
        }
        return view.status === "waiting" ? Option.none<boolean>() : Option.some(false)
      })
      const ask = Effect.as(notify, Option.none<boolean>())
      return Option.getOrUndefined(yield* askAndFollow({ runId, after: asked, ask, look: accepted }))
    },
    Effect.scoped,
    Effect.provideService(PartyStore, store),
    Effect.provide(context)
  )

  const answer = traced("JourneyRuns.answer")(function* (
    ownerId: OwnerId,
    runId: RunId,
    attested: OperatorAnswer
  ) {
    const { facts, snapshot } = yield* rowOf(ownerId, runId)
    const { status, waitingFor } = snapshot.view
    if (status !== "waiting" || waitingFor?.party !== "operator") {
      return yield* refuse("state", `Run ${runId} is ${status} and asks nothing of an operator`)
    }
    const { answers = [] } = waitingFor
    if (!answers.includes(attested.answer)) {
      return yield* refuse(
        "choose",
        `answer: ${JSON.stringify(attested.answer)} is none of ${answers.join(", ")}`
      )
    }
    const here = yield* host.callWorker(runId, (worker) => worker.answer(attested))
    const taken =
      here === undefined ? yield* answeredElsewhere(facts, attested) : Option.getOrElse(here, () => false)
    if (taken === true) return yield* rowOf(ownerId, runId)
    return yield* refuse(
      "state",
      taken === false
        ? `Run ${runId} asks nothing of an operator any more`
        : `Run ${runId} is held by another process of this service that has not received the answer; try again shortly`
    )
  })

  return { recover, answer, cancel }
})

/** The requested decision if it is offered; without one, the recommended decision if it repeats no write. */
function chosen(
  asked: Decision | undefined,
  options: ReadonlyArray<RecoveryOption>
): Effect.Effect<Decision, NotAccepted> {
  const offered = options.map(({ decision }) => decision).join(", ")
  if (asked !== undefined) {
    return options.some(({ decision }) => decision === asked)
      ? Effect.succeed(asked)
      : Effect.fail(refuse("not_offered", `${asked} is not offered; offered are: ${offered}`))
  }
  const best = options.find(({ recommended }) => recommended)
  return best?.repeats.every((request) => request.startsWith("GET ")) === true
    ? Effect.succeed(best.decision)
    : Effect.fail(refuse("choose", `Name a decision; offered are: ${offered}`))
}
