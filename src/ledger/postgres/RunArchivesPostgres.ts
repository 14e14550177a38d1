/** The archived runs in Postgres: tables `run_archive` and `archive_leftover` of migration 0024. */
import { Effect, Layer, Option } from "effect"
import type pg from "pg"
import type { RunId } from "../../../schema/Ids.ts"
import { statementsOn, withoutNul } from "../../database/statement.ts"
import { traced } from "../../telemetry/traced.ts"
import type { ArchiveNote } from "../Ledger.ts"
import { type ArchiveLeftover, begunMinutes, RunArchives, unfinishedMinutes } from "../RunArchives.ts"
import { rowOf, runColumns, type StoredRun } from "./runRows.ts"

/** The columns of a note, by the names of `ArchiveNote`. */
export const noteColumns = `name, lines, head_hash as "headHash", bytes, text_bytes as "textBytes", sha256`

const make = (pool: pg.Pool): RunArchives["Type"] => {
  const query = statementsOn(pool)
  const read = withoutNul(query)
  const leftover = `name, run_id as "runId"`
  return {
    due: traced("RunArchives.due")((days, limit) =>
      Effect.map(
        query<{ readonly run_id: RunId }>({
          name: "archive-due",
          text: `
            select run_id from run
            where closed and archived_at is null and lease_until < now() - $1::float8 * interval '1 day'
            order by lease_until limit $2`,
          values: [days, limit]
        }),
        (rows) => rows.map(({ run_id }) => run_id)
      )
    ),
    find: traced("RunArchives.find")((runId) =>
      Effect.map(
        read<StoredRun & (Omit<ArchiveNote, "runId"> | { readonly name: null })>({
          name: "archive-find",
          text: `
            select ${runColumns}, note.*
            from run left join (select run_id as archived_run_id, ${noteColumns} from run_archive) note
              on archived_run_id = run_id
            where run_id = $1`,
          values: [runId]
        }),
        ([stored]) => {
          if (stored === undefined) return Option.none()
          const { bytes, headHash, lines, name, sha256, textBytes } = { ...noNote, ...stored }
          const note = { runId, name: name ?? "", lines, headHash, bytes, textBytes, sha256 }
          return Option.some({
            row: rowOf(stored),
            note: name === null ? Option.none() : Option.some(note)
          })
        }
      )
    ),
    begin: traced("RunArchives.begin")(({ name, runId }, { evenIfBegun }) =>
      Effect.map(
        query({
          name: "archive-begin",
          text: `
            insert into archive_leftover (name, run_id, removing)
            select $1, $2, false
            where $3 or not exists (
              select from archive_leftover
              where run_id = $2 and not removing and begun_at > clock_timestamp() - ${begunMinutes} * interval '1 minute')
            on conflict (name) do update set begun_at = clock_timestamp() where not archive_leftover.removing
            returning name`,
          values: [name, runId, evenIfBegun]
        }),
        (rows) => rows.length > 0
      )
    ),
    archive: traced("RunArchives.archive")((note) =>
      Effect.map(
        query<{ readonly done: boolean }>({
          name: "archive-run",
          text: "select archive_run($1, $2, $3, $4, $5, $6, $7) as done",
          values: [note.runId, note.name, note.lines, note.headHash, note.bytes, note.textBytes, note.sha256]
        }),
        ([row]) => row?.done === true
      )
    ),
    restore: traced("RunArchives.restore")((runId, lines) =>
      Effect.map(
        query<{ readonly done: boolean }>({
          name: "archive-restore",
          text: "select restore_run($1, $2, $3, $4, $5, $6) as done",
          values: [
            runId,
            lines.map(({ line }) => line),
            lines.map(({ eventId }) => eventId),
            lines.map(({ type }) => type),
            lines.map(({ stageId }) => stageId),
            lines.map(({ hash }) => hash)
          ]
        }),
        ([row]) => row?.done === true
      )
    ),
    leftovers: traced("RunArchives.leftovers")((limit) =>
      query<ArchiveLeftover>({
        name: "archive-leftovers",
        text: `select ${leftover} from archive_leftover order by name limit $1`,
        values: [limit]
      })
    ),
    claimLeftovers: traced("RunArchives.claimLeftovers")((limit) =>
      query<ArchiveLeftover>({
        name: "archive-claim-leftovers",
        text: `
          update archive_leftover set removing = true where name in (
            select name from archive_leftover l
            where (removing or begun_at < clock_timestamp() - ${unfinishedMinutes} * interval '1 minute')
              and not exists (select from run_archive a where a.name = l.name)
            order by name limit $1 for update skip locked)
          returning ${leftover}`,
        values: [limit]
      })
    ),
    giveUp: traced("RunArchives.giveUp")((name) =>
      Effect.asVoid(
        query({
          name: "archive-give-up",
          text: "update archive_leftover set removing = true where name = $1",
          values: [name]
        })
      )
    ),
    forget: traced("RunArchives.forget")((name) =>
      Effect.asVoid(
        query({
          name: "archive-forget",
          text: "delete from archive_leftover where name = $1 and removing",
          values: [name]
        })
      )
    )
  }
}

const noNote = { lines: 0, headHash: "", bytes: 0, textBytes: 0, sha256: "" }

/** The Postgres adapter of the port `RunArchives`. */
export const RunArchivesPostgres = {
  layer: <E, R>(pool: Effect.Effect<pg.Pool, E, R>): Layer.Layer<RunArchives, E, R> =>
    Layer.effect(RunArchives, Effect.map(pool, make))
}
