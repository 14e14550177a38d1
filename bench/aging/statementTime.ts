/**
 * Processor time that Postgres takes for the statement of an append. It is that of the connection's own process, so other programs
 * change it less than a rate: no flush, no wait and no time of Node is in it. Linux only.
 */
import { readFileSync } from "node:fs"
import pg from "pg"
import type { Append } from "../../src/ledger/Ledger.ts"
import { statementFor } from "../../src/ledger/postgres/appendStatement.ts"
import { insertRun } from "../../src/ledger/postgres/runInsert.ts"
import { makeStarts } from "../../src/ledger/postgres/storedSnapshot.ts"
import { session } from "../../src/ledger/postgres/writerConnection.ts"
import { median } from "../measure.ts"
import { appendsOf, newFacts } from "../sampleRun.ts"

/** Statements of a round on each connection: the measured ones, and as many before them to warm the processor's caches. */
const statementsOf = (lines: number) => Math.ceil(100 / Math.sqrt(lines))

/**
 * Microseconds for one statement of so many lines, each of another run: the median of the rounds, for each database. A round has all
 * databases.
 */
export async function statementTimes(
  urls: ReadonlyArray<string>,
  lines: number,
  rounds: number
): Promise<ReadonlyArray<number>> {
  const sessions = await Promise.all(urls.map((url) => openSession(url, lines)))
  const samples = sessions.map((): Array<number> => [])
  for (let round = 0; round < rounds; round++)
    for (const at of inTurn(sessions.length, round)) {
      const { append, pid } = sessions[at]!
      const times = statementsOf(lines)
      for (let n = 0; n < times; n++) await append()
      const before = processorNanos(pid)
      for (let n = 0; n < times; n++) await append()
      samples[at]!.push((processorNanos(pid) - before) / 1000 / times)
    }
  await Promise.all(sessions.map(({ client }) => client.end()))
  return samples.map(median)
}

/**
 * The numbers below `count` in the order of a round: from another one on each time, and in every other turn of them in reverse, so
 * that each has every place, and comes after every other one, equally often.
 */
export function inTurn(count: number, round: number): ReadonlyArray<number> {
  const order = Array.from({ length: count }, (_, at) => (at + round) % count)
  return Math.floor(round / count) % 2 === 0 ? order : order.reverse()
}

/** A connection as a writer has it, with open runs. */
async function openSession(connectionString: string, lines: number) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`${session}; set synchronous_commit = off`)
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid")
  const starts = makeStarts()
  const runs: Array<() => Append> = []
  for (let n = 0; n < lines; n++) {
    const facts = newFacts()
    const next = appendsOf(facts)
    const first = next()
    await client.query(insertRun(facts, first, { leaseSeconds: 60, owner: "bench" }))
    starts.keep(facts.runId, first.snapshot)
    runs.push(next)
  }
  const append = async () => {
    const statement = statementFor(
      runs.map((next) => next()),
      starts
    )
    const { rowCount } = await client.query(statement as pg.QueryConfig)
    if (rowCount !== lines) throw new Error(`${rowCount} of ${lines} appends were accepted`)
  }
  return { client, append, pid: rows[0]!.pid }
}

const processorNanos = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0])
