/** The runs of this process: creates and opens them, and learns which of them other processes have taken over. */
import { Cause, Effect, Layer, Schedule, type Scope } from "effect"
import type { ReportId, RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { isArchiveError } from "../../archive/ArchiveStore.ts"
import { briefly, forSeconds } from "../../database/retry.ts"
import { Placement } from "../../placement/Placement.ts"
import { noteLeases } from "../../telemetry/measures.ts"
import { traced } from "../../telemetry/traced.ts"
import { Ledger, type RunFacts } from "../Ledger.ts"
import { foldRun, foldStart, snapshotOf } from "./foldRun.ts"
import { genesisOf } from "./ledgerLine.ts"
import { makeOwnedRun } from "./ownedRun.ts"
import { cleanDrafts, type LineCleaner, type OwnedState, prepareLines, withFacts } from "./prepareLines.ts"
import type { RequestedAction, RunKindOf } from "./RunKind.ts"
import { type RunLog, RunLogs } from "./RunLog.ts"
import { readLines } from "./readLines.ts"

/** Term of the leases, and how lines are redacted. */
interface RunLogsOptions<C> {
  /** How long a process counts as alive; the placement is asked three times within it. */
  readonly leaseSeconds: number
  /**
   * Replaces, in each line, every token that the connections of the run ever had. Asked before each write, because tokens
   * change: for the tokens as of when the run was last told something that the lines hold. Default: nothing is replaced, for
   * ledgers without real partners' data.
   */
  readonly cleaner?: Effect.Effect<LineCleaner, never, C>
}

interface Held {
  readonly log: RunLog
  /** Called after the next append, and when the run leaves this process. */
  waiting: Array<() => void>
}

const layer = <C = never>({
  cleaner,
  leaseSeconds
}: RunLogsOptions<C>): Layer.Layer<RunLogs, never, Ledger | Placement | Exclude<C, Scope.Scope>> =>
  Layer.scoped(
    RunLogs,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const placement = yield* Placement
      const cleanerFor = cleaner === undefined ? untouched : yield* cleaner
      const scope = yield* Effect.scope
      const held = new Map<RunId, Held>()
      const byReport = new Map<ReportId, RunId>()
      /** Runs given up because the ledger could not be written, and not opened again since. */
      const stalled = new Set<RunId>()
      const term = BigInt(Math.round(leaseSeconds * 1e9))

      const wakeAll = (entry: Held | undefined) => {
        if (entry === undefined || entry.waiting.length === 0) return
        const { waiting } = entry
        entry.waiting = []
        for (const wake of waiting) wake()
      }
      const forget = (runId: RunId) => {
        const entry = held.get(runId)
        held.delete(runId)
        if (entry !== undefined) byReport.delete(entry.log.facts.reportId)
        placement.dropped(runId)
        wakeAll(entry)
      }

      const hold = Effect.fnUntraced(function* <Action extends RequestedAction>(
        kind: RunKindOf<Action>,
        facts: RunFacts,
        epoch: number,
        state: OwnedState
      ) {
        const { runId } = facts
        // This process may have claimed the run again meanwhile.
        const drop = () => {
          if (held.get(runId)?.log.epoch === epoch) forget(runId)
          noteLeases(held.size)
        }
        const log = yield* makeOwnedRun({
          ledger,
          placement,
          cleaner: cleanerFor(facts),
          kind,
          facts,
          epoch,
          state,
          scope,
          leaseAlive: () => held.has(runId) && placement.age() < term,
          onEnd: drop,
          onAppend: () => {
            const entry = held.get(runId)
            if (entry?.log.epoch === epoch) wakeAll(entry)
          },
          patienceSeconds: leaseSeconds,
          onGiveUp: () => void stalled.add(runId),
          stalled: stalled.delete(runId)
        })
        wakeAll(held.get(runId))
        held.set(runId, { log, waiting: [] })
        byReport.set(facts.reportId, runId)
        noteLeases(held.size)
        return log
      })

      const create: RunLogs["Type"]["create"] = traced("RunLogs.create")(function* (kind, ordered, asSaid) {
        const clean = yield* Effect.retry(cleanerFor(ordered)(performance.now()), briefly)
        const facts = {
          ...ordered,
          plan: clean(ordered.plan),
          connectionLabel: clean(ordered.connectionLabel)
        }
        const drafts = withFacts(facts, cleanDrafts(clean, asSaid))
        const start = foldStart(kind, facts)
        const before: OwnedState = {
          folded: start.folded,
          headHash: genesisOf(facts.runId),
          events: [],
          eventIds: new Set()
        }
        const { actions, lines, next } = prepareLines({ kind, facts }, before, {
          drafts,
          now: yield* ledger.now
        })
        for (const { eventId } of lines) next.eventIds.add(eventId)
        // A short loss of the database is retried here; a longer one fails, for the caller to report.
        yield* ledger
          .create(facts, { lines, headHash: next.headHash, snapshot: snapshotOf(next.folded) })
          .pipe(Effect.retry(briefly))
        return { log: yield* hold(kind, facts, 1, next), actions: [...start.actions, ...actions] }
      })

      const open: RunLogs["Type"]["open"] = traced("RunLogs.open")(function* (kind, row) {
        const { runId } = row.facts
        const lines = yield* readLines((after, limit) =>
          ledger.page(runId, after, limit).pipe(
            Effect.retry(briefly),
            // A run that was claimed is not over, so it is not archived.
            Effect.catchIf(isArchiveError, Effect.die)
          )
        )
        const events = lines.map(({ line }): LedgerEvent => JSON.parse(line))
        const eventIds = new Set(lines.flatMap(({ eventId }) => eventId ?? []))
        const { folded } = foldRun(kind, row.facts, events)
        const state: OwnedState = { folded, headHash: row.headHash, events, eventIds }
        return yield* hold(kind, row.facts, row.leaseEpoch, state)
      })

      const keepAll = Effect.gen(function* () {
        const wanted = [...held.entries()].filter(([, { log }]) => !isOver(log))
        const lost = new Set(
          yield* placement.keep(wanted.map(([runId, { log }]) => ({ runId, epoch: log.epoch })))
        )
        for (const [runId, entry] of wanted) {
          // The ledger will refuse its next append; until then this process no longer answers for the run.
          if (lost.has(runId) && held.get(runId) === entry) forget(runId)
        }
        if (lost.size > 0) {
          yield* Effect.logWarning(
            `Other processes took over ${lost.size} runs of this one, because it was blocked or could not reach the database for longer than a lease lasts (${leaseSeconds} s)`
          )
        }
        noteLeases(held.size)
      })
      // Neither a loss of the database nor an error of ours may stop the heartbeat.
      yield* keepAll.pipe(
        Effect.retry(forSeconds(leaseSeconds / 3)),
        Effect.catchTag("DatabaseDown", ({ message }) =>
          Effect.logWarning(
            `The runs of this process could not be looked after (the next heartbeat tries again): ${message}`
          )
        ),
        Effect.catchAllDefect((defect) =>
          Effect.logError(
            "Looking after the runs of this process failed unexpectedly; the next heartbeat tries again",
            Cause.die(defect)
          )
        ),
        Effect.repeat(Schedule.spaced(`${(leaseSeconds * 1000) / 3} millis`)),
        Effect.forkScoped
      )

      const claimable: RunLogs["Type"]["claimable"] = (limit, kind) =>
        Effect.suspend(() => placement.claimable(limit, kind, [...held.keys()]))

      const live: RunLogs["Type"]["live"] = (id) =>
        held.get(byReport.get(id as ReportId) ?? (id as RunId))?.log.row()

      const onNext: RunLogs["Type"]["onNext"] = (runId, wake) => {
        const entry = held.get(runId)
        if (entry === undefined) return undefined
        entry.waiting.push(wake)
        return () => {
          entry.waiting = entry.waiting.filter((other) => other !== wake)
        }
      }

      const moved: RunLogs["Type"]["moved"] = (runId, after) =>
        Effect.async<void>((resume) => {
          const wake = () => resume(Effect.void)
          const seen = held.get(runId)?.log.row().snapshot.view.lastSequence ?? Number.POSITIVE_INFINITY
          const forget = seen > after ? undefined : onNext(runId, wake)
          return forget === undefined ? wake() : Effect.sync(forget)
        })

      return RunLogs.of({ create, open, claimable, live, moved, onNext })
    })
  )

const untouched: LineCleaner = () => () => Effect.succeed((value) => value)

const isOver = (log: RunLog) => isTerminal(log.row().snapshot.view.status)

/** The `RunLogs` port on any ledger. */
export const RunLogsLive = { layer }
