/** Fills a database with the runs and lines of years. `size`: bytes of a line; `month`: 0 is this one, -1 the one before. */
import type pg from "pg"

/** The lines of each run. */
export const linesOfRun = 1000

/** The lines of the months before this one, each in a partition of its own. */
export async function addMonths(
  pool: pg.Pool,
  { lines, months, size }: { readonly lines: number; readonly months: number; readonly size: number }
): Promise<void> {
  const runsOfMonth = Math.ceil(lines / linesOfRun / months)
  for (let month = -months; month < 0; month++) {
    await pool.query(
      `select add_partition('ledger_event', 'ledger_event_a_' || to_char($1::timestamptz at time zone 'utc', 'YYYY_MM'),
        id_from('run_a', $1), id_from('run_a', $2))`,
      [startOf(month), startOf(month + 1)]
    )
    await addEndedRuns(pool, month, runsOfMonth, size)
  }
}

/** Ended runs of a month. */
export async function addEndedRuns(pool: pg.Pool, month: number, runs: number, size: number): Promise<void> {
  for (let done = 0; done < runs; done += 1000)
    await pool.query(insertLines, [startOf(month), done, Math.min(1000, runs - done), linesOfRun, size])
  await pool.query(insertRuns, [startOf(month), 0, runs, linesOfRun])
}

/** Open runs of this month. */
export async function addOpenRuns(pool: pg.Pool, runs: number, size: number): Promise<void> {
  await addEndedRuns(pool, 0, runs, size)
  await pool.query(
    "update run set closed = false, lease_until = '9999-12-31' where run_id >= id_from('run_a', $1)",
    [startOf(0)]
  )
}

/** The start of a month, so many months from now. */
function startOf(month: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month))
}

/** SQL: the id of the run of number r in the month that begins at $1. Also for a database without our functions for months. */
const idOfRun =
  "'run_a' || lpad(to_hex((extract(epoch from $1::timestamptz + r * interval '100 milliseconds') * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(r), 19, '0')"
const insertLines = `
  insert into ledger_event (run_id, sequence, event_id, type, stage_id, line, hash)
  select run.id, s, 'e' || lpad(s::text, 6, '0'), 'exchange.completed', 'start', repeat('x', $5::int), left(md5(s::text), 16)
  from generate_series($2::int, $2::int + $3::int - 1) r, lateral (select ${idOfRun} as id) run, generate_series(1, $4::int) s`
const insertRuns = `
  insert into run (run_id, report_id, owner_id, kind, connection_id, connection_label, ocpi_version, subject_id, plan, created_at,
    status, start, snapshot, last_sequence, head_hash, closed, lease_epoch, lease_until)
  select ${idOfRun}, 'rep_' || ${idOfRun}, 'own_bench', 'journey', 'conn_bench', 'bench', '2.2.1', 'remote-start', '{}', '',
    'completed', '{}', '[]', $4::int, '', true, 1, $1::timestamptz
  from generate_series($2::int, $2::int + $3::int - 1) r`
/** SQL: the bytes of all partitions of the ledger with their indexes. */
export const sizeOfLedger =
  "select sum(pg_total_relation_size(relid))::float8 as size from pg_partition_tree('ledger_event')"
