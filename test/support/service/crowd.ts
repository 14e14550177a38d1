/** Many journeys at once on one built service, with their partners in another: how they end, and what our part cost. */
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { connect, type Service } from "./Service.ts"

/** Quotas and rates that a crowd does not meet. */
export const roomy = {
  RATE_LIMITS:
    "requests=1000000,runs=1000,streams=1000,connections=1000," +
    "partnerCalls=1000000,partnerKilobytes=1000000,accountCalls=1000000,accountKilobytes=1000000,unauthenticatedCalls=1000000",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8"
}

/** Played on one connection: with an EMSP many at a time, but a charge at a CPO takes the first free EVSE for itself. */
const runsAnEmsp = 10
const patience = { waitSeconds: 120 }

/** What is to be started. */
export type Order = Readonly<Record<string, unknown>>

/** So many orders, one half charges at partners, the other half charges of partners at ours. */
export async function gather(us: Service, them: Service, count: number): Promise<ReadonlyArray<Order>> {
  const connection = async (theirRole: "CPO" | "EMSP", seed: number) => {
    const partner = { theirRole, ocpiVersion: "2.2.1", seed, speed: 30, activity: "quiet" }
    const made = await them.call("POST", "/api/v1/sandbox/partners", partner)
    if (made.status !== 201) throw new Error(`sandbox: ${made.status} ${made.text}`)
    return connect(us, made.body.data, theirRole)
  }
  const charges = Math.ceil(count / 2)
  const others = count - charges
  const cpos = await someAtATime(charges, (index) => connection("CPO", index + 1))
  const emsps = await someAtATime(Math.ceil(others / runsAnEmsp), (index) => connection("EMSP", index + 1))
  return [
    ...cpos.map((connectionId) => ({ connectionId, templateId: "remote-start", inputs: patience })),
    ...Array.from({ length: others }, (_, index) => ({
      connectionId: emsps[Math.floor(index / runsAnEmsp)]!,
      templateId: "play-session",
      inputs: { ...patience, stepSeconds: 0 }
    }))
  ]
}

/** Results in the order of the indexes, eight under way at once. */
async function someAtATime<A>(count: number, make: (index: number) => Promise<A>): Promise<ReadonlyArray<A>> {
  const made: Array<A> = []
  while (made.length < count) {
    const first = made.length
    const length = Math.min(8, count - first)
    made.push(...(await Promise.all(Array.from({ length }, (_, index) => make(first + index)))))
  }
  return made
}

/** What a stage took beyond what it waited for the partner. */
export interface Overhead {
  readonly runId: string
  readonly stageId: string
  readonly millis: number
}

export interface Crowd {
  readonly seconds: number
  /** `completed pass` and the like, with how many ended so. */
  readonly ends: ReadonlyMap<string, number>
  readonly peakBytes: number
  /** The slowest first. */
  readonly overheads: ReadonlyArray<Overhead>
}

/** All of them at once, to their end. */
export async function playAll(us: Service, orders: ReadonlyArray<Order>): Promise<Crowd> {
  let peakBytes = 0
  let over = false
  const watching = (async () => {
    while (!over) {
      peakBytes = Math.max(peakBytes, await residentBytes(us))
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  })()
  try {
    const began = performance.now()
    const runs = await Promise.all(
      orders.map(async (order) => {
        const { body, status, text } = await us.call("POST", "/api/v1/testing/journey-runs", order)
        if (status !== 202) throw new Error(`start: ${status} ${text}`)
        return body.data
      })
    )
    const ends = new Map<string, number>()
    for (const { reportId } of runs) {
      const { status, verdict } = await ended(us, reportId)
      ends.set(`${status} ${verdict}`, (ends.get(`${status} ${verdict}`) ?? 0) + 1)
    }
    const seconds = (performance.now() - began) / 1000
    const overheads: Array<Overhead> = []
    for (const { runId } of runs) {
      const path = `/api/v1/testing/journey-runs/${runId}/events?limit=1000`
      const events = (await us.call<ReadonlyArray<LedgerEvent>>("GET", path)).body.data
      overheads.push(...overheadsOf(events).map((one) => ({ runId, ...one })))
    }
    overheads.sort((a, b) => b.millis - a.millis)
    return { seconds, ends, peakBytes, overheads }
  } finally {
    over = true
    await watching
  }
}

/** The report of a run when it is over. */
export async function ended(us: Service, reportId: string): Promise<any> {
  for (;;) {
    const { body, text } = await us.call("GET", `/api/v1/testing/runs/${reportId}?wait=30&until=end`)
    if (body?.data === undefined) throw new Error(`run ${reportId}: ${text}`)
    if (body.data.verdict !== null) return body.data
  }
}

async function residentBytes(us: Service): Promise<number> {
  const { text } = await us.call("GET", "/metrics")
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? 0)
}

type Span = readonly [from: number, to: number]

/** Of each stage from the end of the one before it to its own, without the times in which the partner had the word. */
export function overheadsOf(
  events: ReadonlyArray<LedgerEvent>
): ReadonlyArray<{ readonly stageId: string; readonly millis: number }> {
  const found: Array<{ readonly stageId: string; readonly millis: number }> = []
  const theirs: Array<Span> = []
  let began = Number.NaN
  let waitsSince = Number.NaN
  for (const event of events) {
    const { occurredAt, stageId = "", type } = event
    const at = Date.parse(occurredAt)
    if (type === "run.started") began = at
    if (type === "wait.started") waitsSince = at
    if (event.type === "exchange.completed") {
      const sent = Date.parse(event.exchange.startedAt)
      theirs.push([sent, sent + event.exchange.durationMs])
    }
    // What comes while we wait ends the partner's turn, until it is found not to be what we wait for.
    if (event.type === "inbound.received" && waitsSince < at)
      theirs.push([waitsSince, Date.parse(event.exchange.startedAt)])
    if (/^stage\.(completed|failed|skipped)$/.test(type)) {
      found.push({ stageId, millis: Math.max(0, at - began - covered(theirs, [began, at])) })
      began = at
      waitsSince = Number.NaN
    }
  }
  return found
}

/** How much of the whole the spans cover. */
function covered(spans: ReadonlyArray<Span>, [from, to]: Span): number {
  let sum = 0
  let until = from
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    const [first, last] = [Math.max(start, until), Math.min(end, to)]
    if (last <= first) continue
    sum += last - first
    until = last
  }
  return sum
}
