/**
 * Moves the lines of runs that are over into the archive, and back. A run is at every instant in the tables or in the archive:
 * its object is stored, read back and verified before one statement notes it and deletes the lines (decision 36).
 */
import { Context, Effect, Either, Layer, Option } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { type ArchiveAway, ArchiveStore } from "../../archive/ArchiveStore.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import { archiveObjectOf, provenLinesOf } from "../../ledger/archive/archiveObject.ts"
import { readObject } from "../../ledger/archive/readArchive.ts"
import { Ledger, type RunRow, type WholeLine } from "../../ledger/Ledger.ts"
import { type ArchiveLeftover, RunArchives } from "../../ledger/RunArchives.ts"
import { readLines } from "../../ledger/run/readLines.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { publicJwk } from "../../reports/signature.ts"
import { SigningKeys } from "../../store/secrets/SigningKeys.ts"
import { traced } from "../../telemetry/traced.ts"

/** What became of a run: done now, so before, or why not, in the words for "Not done, because …". */
type ArchivingResult = "done" | "before" | { readonly kept: string }

/** Runs per look, and objects per statement. */
const mostRuns = 1000
const batch = 100

/** Archives and restores runs of any owner: for the operator and for the service itself. */
export class Archiving extends Context.Tag("services/Archiving")<
  Archiving,
  {
    /** Where the archive is; undefined: none is set. */
    readonly place: string | undefined
    /** Runs that ended more than `days` days ago and are not archived, at most 1000; the oldest first. */
    readonly due: (days: number) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown>
    /**
     * Archives a run. `evenIfBegun`: also when another process began to, a moment ago; only one of them will have done it. Interrupted
     * or killed at any instant, the run is archived whole or not at all.
     */
    readonly archive: (
      runId: RunId,
      options?: { readonly evenIfBegun?: boolean }
    ) => Effect.Effect<ArchivingResult, DatabaseDown | ArchiveAway>
    /** Archives all runs of that age and returns their ids; what keeps a run is logged. */
    readonly archiveOlder: (days: number) => Effect.Effect<ReadonlyArray<RunId>, DatabaseDown | ArchiveAway>
    /** Puts the lines of an archived run back into the tables, verified; its object is removed. */
    readonly restore: (runId: RunId) => Effect.Effect<ArchivingResult, DatabaseDown | ArchiveAway>
    /** Objects that no run needs, at most 10 000; those that are being written right now are among them. */
    readonly leftovers: Effect.Effect<ReadonlyArray<ArchiveLeftover>, DatabaseDown>
    /** Removes the objects of purged and restored runs, and those that were never finished. Returns how many. */
    readonly removeLeftovers: Effect.Effect<number, DatabaseDown | ArchiveAway>
  }
>() {
  static readonly layer = Layer.effect(
    Archiving,
    Effect.gen(function* () {
      const archives = yield* RunArchives
      const ledger = yield* Ledger
      const store = yield* ArchiveStore
      const { keys } = yield* SigningKeys
      const signer = { id: publicJwk(keys[0]).kid, privateKey: keys[0] }

      /** The lines in the tables. Undefined: the run was archived or purged meanwhile. */
      const linesOf = Effect.fnUntraced(function* ({ facts, snapshot }: RunRow) {
        const lines = yield* readLines((after, limit) =>
          ledger
            .page(facts.runId, after, limit)
            .pipe(Effect.catchTag("ArchiveDamaged", () => Effect.succeed([])))
        )
        if (lines.length === 0 && snapshot.view.lastSequence > 0) return undefined
        return lines.map((line): WholeLine => ({ hash: "", eventId: "", ...line }))
      })

      const archive: Archiving["Type"]["archive"] = traced("Archiving.archive")(function* (
        runId,
        { evenIfBegun = false } = {}
      ) {
        const found = yield* archives.find(runId)
        if (Option.isNone(found)) return kept("the run is unknown")
        const { note, row } = found.value
        if (Option.isSome(note)) return "before"
        if (!isTerminal(row.snapshot.view.status)) return kept("the run has not ended")
        const lines = yield* linesOf(row)
        if (lines === undefined) return kept("it has no lines")
        const exportedAt = yield* nowIso
        const made = yield* Effect.promise(() => archiveObjectOf(row, lines, exportedAt, signer))
        if (Either.isLeft(made)) return kept(made.left)
        const { note: noted, object } = made.right
        const { name } = noted
        if (!(yield* archives.begin({ name, runId }, { evenIfBegun })))
          return kept("another process has begun to archive it")
        const stored = yield* Effect.zipRight(store.put(name, object), store.get(name, noted.bytes)).pipe(
          // Whatever there is of the object is removed when the archive is back.
          Effect.tapError(() => archives.giveUp(name))
        )
        const proven = Option.isNone(stored)
          ? Either.left("it is not there")
          : yield* Effect.promise(() => provenLinesOf(noted, stored.value, keys))
        if (Either.isLeft(proven)) {
          yield* archives.giveUp(name)
          return kept(`the object that was just stored cannot be used: ${proven.left}`)
        }
        if (yield* archives.archive(noted)) return "done"
        yield* archives.giveUp(name)
        return kept("another process has archived or purged it meanwhile")
      })

      const archiveOlder = traced("Archiving.archiveOlder")(function* (days: number) {
        const archived: Array<RunId> = []
        while (true) {
          const due = yield* archives.due(days, mostRuns)
          let count = 0
          for (const runId of due) {
            const moved = yield* archive(runId)
            if (moved === "done") {
              archived.push(runId)
              count += 1
            } else if (moved !== "before")
              yield* Effect.logWarning(`The run ${runId} is not archived: ${moved.kept}`)
          }
          // When none could be archived, something keeps these runs, or other processes archive them.
          if (due.length < mostRuns || count === 0) return archived
        }
      })

      const restore: Archiving["Type"]["restore"] = traced("Archiving.restore")(function* (runId) {
        const found = yield* archives.find(runId)
        if (Option.isNone(found)) return kept("the run is unknown")
        const { note } = found.value
        if (Option.isNone(note)) return "before"
        const read = yield* Effect.either(readObject(store, note.value))
        if (Either.isLeft(read))
          return read.left._tag === "ArchiveDamaged" ? kept(read.left.message) : yield* read.left
        const lines = read.right.map((line) => {
          const { stageId = null, type } = JSON.parse(line.line) as Columns
          return { ...line, type, stageId }
        })
        return (yield* archives.restore(runId, lines)) ? "done" : "before"
      })

      const removeLeftovers = traced("Archiving.removeLeftovers")(function* () {
        let removed = 0
        while (true) {
          const found = yield* archives.claimLeftovers(batch)
          for (const { name } of found) {
            yield* store.remove(name)
            yield* archives.forget(name)
          }
          removed += found.length
          if (found.length < batch) return removed
        }
      })

      return Archiving.of({
        place: store.place,
        due: (days) => archives.due(days, mostRuns),
        archive,
        archiveOlder,
        restore,
        leftovers: archives.leftovers(10_000),
        removeLeftovers: removeLeftovers()
      })
    })
  )
}

/** What the table of lines has of an event in columns of its own. */
interface Columns {
  readonly type: string
  readonly stageId?: string
}

const kept = (why: string): ArchivingResult => ({ kept: why })
