/**
 * Archives and purges old runs, and purges old exchanges outside of runs. A purged run leaves a tombstone, and its object leaves the
 * archive; a run that has not ended is neither archived nor purged.
 */
import { Context, Effect, Layer, Schedule } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import { retryUntilBack } from "../../database/retry.ts"
import { Ledger } from "../../ledger/Ledger.ts"
import { Placement } from "../../placement/Placement.ts"
import { OldExchanges } from "../../store/parties/exchanges/OldExchanges.ts"
import { traced } from "../../telemetry/traced.ts"
import { Archiving } from "./Archiving.ts"

/** When the service archives and purges by itself. */
interface RetentionOptions {
  /** Days after which the lines of an ended run move into the archive; undefined: never. Looked at before purging. */
  readonly archiveAfterDays?: number | undefined
  /** Days after which an ended run, and an exchange outside of runs, is purged; undefined: never. */
  readonly days: number | undefined
  /** Hours between looks; default 1. */
  readonly everyHours?: number
}

/** Runs, and exchanges, per step; purging can be interrupted between steps. */
const batch = 100
const exchangeBatch = 1000

/** Purges runs and exchanges. */
export class Retention extends Context.Tag("services/Retention")<
  Retention,
  {
    /** Purges the runs that ended more than `days` days ago and returns their ids. `dryRun`: only returns the first 10 000. */
    readonly purgeOlder: (
      days: number,
      options?: { readonly dryRun?: boolean }
    ) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /**
     * Purges the exchanges outside of runs that were stored more than `days` days ago, except of connections with an open
     * run, and returns their number. `dryRun`: only counts them.
     */
    readonly purgeExchanges: (days: number, options?: { readonly dryRun?: boolean }) => Effect.Effect<number>
    /** Purges one run. False: it is unknown, it has not ended, or another process is purging it. */
    readonly purge: (id: RunId) => Effect.Effect<boolean, DatabaseDown>
  }
>() {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const exchanges = yield* OldExchanges
      const archiving = yield* Archiving

      const purgeOlder: Retention["Type"]["purgeOlder"] = traced("Retention.purgeOlder")(function* (
        age,
        { dryRun = false } = {}
      ) {
        if (dryRun) return yield* ledger.expired(age, 10_000)
        const purged: Array<RunId> = []
        const reason = `older than ${age} days`
        // First what can go as whole months, which removes no line by itself.
        for (;;) {
          const month = yield* ledger.purgeMonth(age, reason)
          purged.push(...month)
          if (month.length === 0) break
        }
        while (true) {
          const found = yield* ledger.expired(age, batch)
          const gone = yield* Effect.filter(found, (id) => ledger.purge(id, reason))
          purged.push(...gone)
          // When none could be purged, another process is purging the same ones.
          if (found.length < batch || gone.length === 0) break
        }
        if (purged.length > 0) yield* removeObjects(archiving)
        return purged
      })

      const purgeExchanges: Retention["Type"]["purgeExchanges"] = traced("Retention.purgeExchanges")(
        function* (age, { dryRun = false } = {}) {
          if (dryRun) return yield* exchanges.count(age)
          let purged = yield* exchanges.purgeMonths(age)
          while (true) {
            const gone = yield* exchanges.purge(age, exchangeBatch)
            purged += gone
            if (gone < exchangeBatch) return purged
          }
        }
      )

      const purge = (id: RunId) =>
        Effect.tap(ledger.purge(id, "on request"), (gone) => (gone ? removeObjects(archiving) : Effect.void))
      return Retention.of({ purgeOlder, purgeExchanges, purge })
    })
  )

  /** Archives and purges periodically where days are given, in one process at a time. */
  static readonly periodic = ({ archiveAfterDays, days, everyHours = 1 }: RetentionOptions) =>
    Layer.scopedDiscard(
      Effect.gen(function* () {
        const { purgeExchanges, purgeOlder } = yield* Retention
        const archiving = yield* Archiving
        const { singleton } = yield* Placement
        const lookAtExchanges = (age: number) =>
          retryUntilBack(purgeExchanges(age)).pipe(
            Effect.tap((purged) =>
              purged === 0
                ? Effect.void
                : Effect.logInfo(`Purged ${purged} exchanges that were kept for more than ${age} days`)
            ),
            Effect.catchAllCause((cause) => Effect.logError("Old exchanges could not be purged", cause))
          )

        const lookAtRuns = (age: number) =>
          purgeOlder(age).pipe(
            Effect.tap((purged) =>
              purged.length === 0
                ? Effect.void
                : Effect.logInfo(`Purged ${purged.length} runs that ended more than ${age} days ago`)
            ),
            Effect.catchTag("DatabaseDown", ({ message }) =>
              Effect.logDebug(`nothing is purged: ${message}`)
            ),
            Effect.catchAllCause((cause) => Effect.logError("Old runs could not be purged", cause))
          )
        const lookForArchive = (age: number) =>
          archiving.archiveOlder(age).pipe(
            Effect.tap((archived) =>
              archived.length === 0
                ? Effect.void
                : Effect.logInfo(`Archived ${archived.length} runs that ended more than ${age} days ago`)
            ),
            Effect.catchTags({
              DatabaseDown: ({ message }) => Effect.logDebug(`nothing is archived: ${message}`),
              ArchiveAway: ({ message }) => Effect.logWarning(`Runs are not archived for now: ${message}`)
            }),
            Effect.catchAllCause((cause) => Effect.logError("Ended runs could not be archived", cause))
          )

        const work = [
          ...(archiveAfterDays === undefined ? [] : [lookForArchive(archiveAfterDays)]),
          ...(days === undefined ? [] : [lookAtRuns(days), lookAtExchanges(days)])
        ]
        const look = Effect.all([...work, removeObjects(archiving)], { discard: true })
        if (work.length > 0) {
          yield* singleton(
            "retention",
            Effect.delay(Effect.repeat(look, Schedule.spaced(`${everyHours} hours`)), "30 seconds")
          )
        }
      })
    )
}

/** What is left of the archive of purged runs; what cannot be removed now is removed by a later look. */
const removeObjects = ({ place, removeLeftovers }: Archiving["Type"]) =>
  place === undefined
    ? Effect.void
    : removeLeftovers.pipe(
        Effect.catchAll(({ message }) =>
          Effect.logWarning(`Objects of purged runs stay in the archive for now: ${message}`)
        ),
        Effect.catchAllCause((cause) => Effect.logError("Objects of purged runs could not be removed", cause))
      )
