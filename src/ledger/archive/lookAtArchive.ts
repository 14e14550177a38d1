/** Reads every archived run of a database where it is, and says which cannot be read. */
import { Effect } from "effect"
import type pg from "pg"
import { type ArchiveError, type ArchiveStore, isArchiveError } from "../../archive/ArchiveStore.ts"
import type { ArchiveNote } from "../Ledger.ts"
import { noteColumns } from "../postgres/RunArchivesPostgres.ts"
import { readObject } from "./readArchive.ts"

/** The result of `lookAtArchive`. */
export interface ArchiveLookedAt {
  /** Runs whose object is what was noted. */
  readonly intact: number
  readonly damaged: ReadonlyArray<{ readonly runId: string; readonly message: string }>
  /** Why not all were looked at; undefined: all were. */
  readonly stopped: string | undefined
}

/** Notes per statement. */
const page = 500

/** Looks at all archived runs, in the order of their ids, until the archive cannot be reached. */
export const lookAtArchive = Effect.fnUntraced(function* <E>(
  store: ArchiveStore["Type"],
  query: (text: string, values: Array<unknown>) => Effect.Effect<pg.QueryResult<ArchiveNote>, E>
) {
  const damaged: Array<{ runId: string; message: string }> = []
  let intact = 0
  let after = ""
  while (true) {
    const { rows } = yield* query(
      `select run_id as "runId", ${noteColumns} from run_archive where run_id > $1 order by run_id limit ${page}`,
      [after]
    )
    for (const note of rows) {
      const wrong = yield* readObject(store, note).pipe(
        Effect.as(undefined),
        Effect.catchIf(isArchiveError, (error) => Effect.succeed<ArchiveError | undefined>(error))
      )
      if (wrong === undefined) intact += 1
      else if (wrong._tag === "ArchiveDamaged") damaged.push({ runId: note.runId, message: wrong.message })
      else return { intact, damaged, stopped: wrong.message } satisfies ArchiveLookedAt
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < page)
      return { intact, damaged, stopped: undefined } satisfies ArchiveLookedAt
    after = last.runId
  }
})
