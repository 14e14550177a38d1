/**
 * The statement of a group of appends: it updates the rows of runs, inserts their lines, and returns the runs that it
 * updated.
 */
import { isTerminal } from "../../../schema/RunReport.ts"
import { boolArray, intArray, textArray } from "../../database/batches/binaryArrays.ts"
import type { Append } from "../Ledger.ts"
import type { Starts } from "./storedSnapshot.ts"

/** The statement for one or more appends, each to another run. */
export const statementFor = (appends: ReadonlyArray<Append>, starts: Starts) => {
  const [only] = appends
  return appends.length === 1 && only?.lines.length === 1
    ? { ...appendOne, values: valuesOfOne(only, starts) }
    : { ...appendMany, values: valuesOfMany(appends, starts) }
}

/** The age of a run that is over is that of its `lease_until`. */
const ended = (closed: string) =>
  `lease_until = case when ${closed} then least(lease_until, now()) else lease_until end`

/**
 * Not written `not closed`, which is the condition of the indexes of open runs: while few are open, a plan that is kept would go
 * through all of them in place of each run's key.
 */
const notClosed = (closed: string) => `${closed} is distinct from true`

/**
 * A run's row is updated only if its head is where the writer expects it, the writer has the lease, and the run is not
 * over; lines are inserted for exactly those runs. So one refused run does not affect the others.
 */
const appendMany = {
  name: "ledger-append",
  text: `
    with moved as (
      update run set last_sequence = w.head, head_hash = w.head_hash, snapshot = w.snapshot, status = w.status,
        verdict = w.verdict, closed = w.closed, ${ended("w.closed")}
      from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bool[])
        as w(run_id, expected, epoch, head, head_hash, snapshot, status, verdict, closed)
      where run.run_id = w.run_id collate "C" and run.last_sequence = w.expected and run.lease_epoch = w.epoch
        and ${notClosed("run.closed")}
      returning run.run_id
    ), written as (
      insert into ledger_event (run_id, sequence, event_id, type, stage_id, line, hash)
      select l.* from unnest($10::text[], $11::int[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[])
        as l(run_id, sequence, event_id, type, stage_id, line, hash)
      where l.run_id in (select run_id from moved)
    )
    select run_id from moved`
}

/**
 * The same for the most frequent group of a quiet service: one run, one line. Arrays would make it a third more
 * expensive.
 */
const appendOne = {
  name: "ledger-append-one",
  text: `
    with moved as (
      update run set last_sequence = $4, head_hash = $5, snapshot = $6, status = $7, verdict = $8, closed = $9,
        ${ended("$9")}
      where run_id = $1 and last_sequence = $2 and lease_epoch = $3 and ${notClosed("closed")}
      returning run_id
    ), written as (
      insert into ledger_event (run_id, sequence, event_id, type, stage_id, line, hash)
      select run_id, $4, $10, $11, $12, $13, $14 from moved
    )
    select run_id from moved`
}

function valuesOfOne({ epoch, expectedSequence, headHash, lines, runId, snapshot }: Append, starts: Starts) {
  const { event, eventId, hash, line } = lines[0]!
  const { status, verdict } = snapshot.view
  return [
    runId,
    expectedSequence,
    epoch,
    expectedSequence + 1,
    headHash,
    starts.textOf(runId, snapshot),
    status,
    verdict,
    isTerminal(status),
    eventId,
    event.type,
    event.stageId ?? null,
    line,
    hash
  ]
}

function valuesOfMany(appends: ReadonlyArray<Append>, starts: Starts): Array<Buffer> {
  const views = appends.map(({ snapshot }) => snapshot.view)
  const lines = appends.flatMap(({ lines }) => lines)
  return [
    textArray(appends.map(({ runId }) => runId)),
    intArray(appends.map(({ expectedSequence }) => expectedSequence)),
    intArray(appends.map(({ epoch }) => epoch)),
    intArray(appends.map(({ expectedSequence, lines }) => expectedSequence + lines.length)),
    textArray(appends.map(({ headHash }) => headHash)),
    textArray(appends.map(({ runId, snapshot }) => starts.textOf(runId, snapshot))),
    textArray(views.map(({ status }) => status)),
    textArray(views.map(({ verdict }) => verdict)),
    boolArray(views.map(({ status }) => isTerminal(status))),
    textArray(appends.flatMap(({ lines, runId }) => lines.map(() => runId))),
    intArray(lines.map(({ event }) => event.sequence)),
    textArray(lines.map(({ eventId }) => eventId)),
    textArray(lines.map(({ event }) => event.type)),
    textArray(lines.map(({ event }) => event.stageId ?? null)),
    textArray(lines.map(({ line }) => line)),
    textArray(lines.map(({ hash }) => hash))
  ]
}
