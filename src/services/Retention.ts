/** How long runs are kept. What is purged leaves a tombstone; a run that is not over is never purged. */
import { Context, Effect, Layer, Schedule } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { Ledger, type LedgerDown } from "../ledger/Ledger.ts"

export interface RetentionOptions {
  /** After so many days without a sign of life a run that is over goes; undefined: never. */
  readonly days: number | undefined
  /** Default 1. */
  readonly everyHours?: number
}

/** Purged between two looks at whether we were told to stop. */
const batch = 100

export class Retention extends Context.Tag("services/Retention")<
  Retention,
  {
    /** Purges the runs that ended more than `days` days ago; answers them. `dryRun`: only answers the first 10 000. */
    readonly purgeOlder: (
      days: number,
      options?: { readonly dryRun?: boolean }
    ) => Effect.Effect<ReadonlyArray<RunId>, LedgerDown>
    /** Purges one run. False: there is none, it is not over, or another process does it at this instant. */
    readonly purge: (id: RunId) => Effect.Effect<boolean, LedgerDown>
  }
>() {
  /** Looks by itself while its scope is open, where there are days. Any number of processes may look at once. */
  static readonly layer = ({ days, everyHours = 1 }: RetentionOptions) =>
    Layer.scoped(
      Retention,
      Effect.gen(function* () {
        const ledger = yield* Ledger

        const purgeOlder: Retention["Type"]["purgeOlder"] = Effect.fn("Retention.purgeOlder")(function* (
          age,
          { dryRun = false } = {}
        ) {
          if (dryRun) return yield* ledger.expired(age, 10_000)
          const purged: Array<RunId> = []
          while (true) {
            const found = yield* ledger.expired(age, batch)
            const gone = yield* Effect.filter(found, (id) => ledger.purge(id, `older than ${age} days`))
            purged.push(...gone)
            // None of them: another process is at the same ones.
            if (found.length < batch || gone.length === 0) return purged
          }
        })

        const look = (age: number) =>
          purgeOlder(age).pipe(
            Effect.tap((purged) =>
              purged.length === 0
                ? Effect.void
                : Effect.logInfo(`Purged ${purged.length} runs that ended more than ${age} days ago`)
            ),
            Effect.catchTag("LedgerDown", ({ message }) => Effect.logDebug(`nothing is purged: ${message}`)),
            Effect.catchAllCause((cause) => Effect.logError("Old runs could not be purged", cause))
          )
        if (days !== undefined)
          yield* Effect.forkScoped(Effect.schedule(look(days), Schedule.spaced(`${everyHours} hours`)))
        if (days !== undefined) yield* Effect.forkScoped(Effect.delay(look(days), "30 seconds"))

        return Retention.of({ purgeOlder, purge: (id) => ledger.purge(id, "on request") })
      })
    )
}
