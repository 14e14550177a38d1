/**
 * The six zeros: what must never happen to a run, whatever fault was injected. Counted over every run in the database,
 * from its lines, from what clients were shown, and from what the partner got.
 */
import { rows } from "../../../test/support/service/database.ts"
import {
  ledgerFaults,
  type RunLine,
  type RunLines,
  readLines,
  unannounced,
  unlikeTheFold,
  writesOf
} from "../../../test/support/service/oracle.ts"
import { sleep } from "../../../test/support/service/Service.ts"
import { arrears } from "./Follower.ts"
import type { Seen } from "./Seen.ts"
import { terminal, type World } from "./World.ts"

/** The counts, all of which must be 0. */
export interface Zeros {
  /** Shown to a client, but missing in the ledger, or different there; and clients that did not get the whole of a run. */
  readonly lost: number
  /** The same event twice, the same request twice at the partner, or a write repeated without a decision. */
  readonly dup: number
  readonly gap: number
  /** A verdict that differs from the fold of the lines, that blames an honest partner, or that fails by our fault. */
  readonly wrongVerdict: number
  /** Neither terminal nor interrupted after three leases. */
  readonly stuck: number
  /** Work on a run that waited for a decision, or a request without an announcing line. */
  readonly zombieWrites: number
}

/** The counts, with their details. */
export interface Judged {
  readonly zeros: Zeros
  readonly runs: number
  readonly lines: number
  /** One line for each finding. */
  readonly details: ReadonlyArray<string>
}

interface JudgeOptions {
  /** Partners with injected faults may be blamed. */
  readonly rude?: boolean
  /** Seconds that runs may still take to settle. */
  readonly seconds?: number
  /** Headers with the keys of other accounts that have runs. */
  readonly others?: ReadonlyArray<Readonly<Record<string, string>>>
}

/** Waits until every run is settled, and counts. At least one process must serve. */
export async function judge(world: World, options: JudgeOptions = {}): Promise<Judged> {
  const { database, proxy, seen } = world
  const details: Array<string> = []
  const count = (many: number, what: string) => {
    if (many > 0) details.push(`${what}: ${many}`)
    return many
  }
  let { dup, gap, lost, stuck, wrongVerdict, zombieWrites } = none
  for (const run of await restless(database, 3 * world.leaseSeconds + (options.seconds ?? 30))) {
    stuck += count(1, `stuck ${run.run_id} ${run.status}`)
  }
  const runs: ReadonlyArray<any> = await rows(
    database,
    "select run_id, report_id, kind, status from run order by run_id"
  )
  const ids = new Set(runs.map(({ run_id }) => run_id))
  lost += count([...seen.accepted].filter((id) => !ids.has(id)).length, "accepted runs that are not there")
  dup += count(seen.doubled, "lines shown twice")
  gap += count(seen.disordered, "lines shown out of turn")
  let total = 0
  const heads = new Map<string, number>()
  for (const { kind, report_id, run_id, status } of runs) {
    const lines = await readLines(database, run_id)
    total += lines.length
    heads.set(run_id, lines.length)
    const faults = ledgerFaults(run_id, lines, shown(seen, run_id))
    lost += count(faults.lost, `${run_id} lost`)
    dup += count(faults.duplicated, `${run_id} duplicated`)
    gap += count(faults.gaps + faults.brokenChain, `${run_id} gaps`)
    const report = await served(world, report_id, options.others)
    const unlike = await unlikeTheFold(database, run_id, lines, report)
    wrongVerdict += count(unlike.length, `${run_id} unlike the fold in ${unlike.join(", ")}`)
    if (options.rude !== true && kind === "journey") {
      wrongVerdict += count(blamed(lines).length, `${run_id} blames an honest partner: ${blamed(lines)[0]}`)
      wrongVerdict += count(status === "failed" ? 1 : 0, `${run_id} failed`)
    }
    const requests = proxy.passed.filter(({ correlationId }) => correlationId === run_id)
    const requestIds = requests.map(({ requestId }) => requestId)
    dup += count(requestIds.length - new Set(requestIds).size, `${run_id} requests sent twice`)
    if (!lines.some(({ event }) => event.type === "recovery.applied") && kind === "journey") {
      const writes = writesOf(proxy.passed, run_id)
      dup += count(writes.length - new Set(writes).size, `${run_id} repeated a write: ${writes.join(", ")}`)
    }
    // A conformance run resumes without a decision.
    if (kind === "journey")
      zombieWrites += count(workWhileWaiting(lines), `${run_id} worked on while it waited for a decision`)
    zombieWrites += count(unannounced(proxy.passed, run_id, lines).length, `${run_id} sent unannounced`)
  }
  const behind = await arrears(world.followers, heads)
  lost += behind.length
  details.push(...behind)
  if (wrongVerdict > 0) details.push(...(await unheard(world)))
  return {
    zeros: { lost, dup, gap, wrongVerdict, stuck, zombieWrites },
    runs: runs.length,
    lines: total,
    details
  }
}

/** All counts 0. */
export const none: Zeros = { lost: 0, dup: 0, gap: 0, wrongVerdict: 0, stuck: 0, zombieWrites: 0 }

/** The sums of the counts. */
export const sum = (all: ReadonlyArray<Zeros>): Zeros =>
  all.reduce(
    (a, b) => ({
      lost: a.lost + b.lost,
      dup: a.dup + b.dup,
      gap: a.gap + b.gap,
      wrongVerdict: a.wrongVerdict + b.wrongVerdict,
      stuck: a.stuck + b.stuck,
      zombieWrites: a.zombieWrites + b.zombieWrites
    }),
    none
  )

/** Runs that are neither terminal nor interrupted after so many seconds. */
async function restless(database: string, seconds: number): Promise<ReadonlyArray<any>> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const found = await rows(
      database,
      "select run_id, status from run where not (status = any($1)) and status <> 'interrupted'",
      [terminal]
    )
    if (found.length === 0 || performance.now() > end) return found
    await sleep(200)
  }
}

async function served(world: World, reportId: string, others: JudgeOptions["others"] = []): Promise<unknown> {
  for (let tries = 0; tries < 50; tries++) {
    const [service] = world.services()
    for (const headers of [{}, ...others]) {
      const path = `/api/v1/testing/runs/${reportId}`
      const answer = await service?.call("GET", path, undefined, headers).catch(() => undefined)
      if (answer?.status === 200) return answer.body.data
    }
    await sleep(200)
  }
  return undefined
}

/** The lines that clients have seen, in the oracle's form. */
const shown = (seen: Seen, runId: string): RunLines =>
  [...(seen.lines.get(runId) ?? [])].map(([sequence, line]) => ({ sequence, line }) as RunLine) // the oracle reads only these fields

const blamed = (lines: RunLines): ReadonlyArray<string> =>
  lines.flatMap(({ event }) =>
    event.assertions
      .filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome))
      .map(({ id, message }) => `${id}: ${message}`)
  )

/** Partners' calls that did not reach us: they explain why a partner was blamed. */
async function unheard(world: World): Promise<ReadonlyArray<string>> {
  const found = await rows(
    world.partnersDatabase,
    `select exchange->'request'->>'method' as method, exchange->>'operation' as operation, exchange->>'outcome' as outcome,
       exchange->'response'->>'httpStatus' as status, exchange->'fault'->>'message' as message
     from party_exchange where direction = 'outbound'
       and (exchange->>'outcome' <> 'completed' or (exchange->'response'->>'httpStatus')::int >= 300)
     order by position limit 10`
  )
  return found.map(
    ({ message, method, operation, outcome, status }) =>
      `a partner's ${method} ${operation} did not come through: ${outcome} ${status ?? ""} ${message ?? ""}`
  )
}

/** Counts the lines after an interruption that are neither its offer nor the decision. */
function workWhileWaiting(lines: RunLines): number {
  let waits = false
  let work = 0
  for (const { event } of lines) {
    if (event.type === "run.interrupted") waits = true
    else if (["recovery.applied", "cancel.requested", "run.cancelled"].includes(event.type)) waits = false
    else if (waits && event.type !== "recovery.offered") work += 1
  }
  return work
}
