/** A client that follows a run with the published client, at any process that answers. What the service sends is checked on its way. */
import { eventParser } from "../../../src/client/eventFrames.ts"
import { plugfest } from "../../../src/client/plugfest.ts"
import { key, sleep } from "../../../test/support/service/Service.ts"
import { type Seen, show } from "./Seen.ts"

/** What the client gave to its user. */
export interface Follower {
  readonly runId: string
  /** Sequences of the events, in the order in which the client gave them. */
  readonly ids: ReadonlyArray<number>
  /** Delays in milliseconds from the time in a line to its arrival, of live lines only. */
  readonly delays: ReadonlyArray<number>
  readonly reconnects: () => number
  /** Counts of answers other than 200 and 204, by status. */
  readonly refusals: ReadonlyMap<number, number>
  /** The error with which the client ended; undefined: none. */
  readonly failure: () => Error | undefined
  /** Whether a process is there that it may ask. */
  readonly isServed: () => boolean
  /** Resolves when the run is over, after a stop, or when the client gave up. */
  readonly done: Promise<void>
  readonly stop: () => void
}

interface FollowOptions {
  readonly runId: string
  /** The sequence after which it begins; default 0. */
  readonly after?: number
  /** Called for each new connection; the URLs are used in turn. */
  readonly urls: () => ReadonlyArray<string>
  readonly seen: Seen
  /** Awaited after each event, before the client may read on: a reader that is slow. */
  readonly digest?: () => Promise<unknown>
}

/** A line older than this at its arrival was replayed, and says nothing about the delivery. */
const liveMillis = 30_000
/** Lines that come so soon after the opening of a connection are its replay. */
const replayMillis = 300

/** Starts following a run. */
export function follow({ after = 0, digest, runId, seen, urls }: FollowOptions): Follower {
  const ids: Array<number> = []
  const delays: Array<number> = []
  const refusals = new Map<number, number>()
  const stopped = new AbortController()
  let connections = 0
  let openedAt = 0
  let failure: Error | undefined

  const fetchInTurn = async (path: string, init: RequestInit): Promise<Response> => {
    const all = urls()
    const url = all[connections++ % Math.max(1, all.length)]
    if (url === undefined) throw new TypeError("no process is there")
    const response = await fetch(url + path, init)
    const { status } = response
    if (status !== 200 && status !== 204) refusals.set(status, (refusals.get(status) ?? 0) + 1)
    const last = Number(new Headers(init.headers).get("last-event-id") ?? 0)
    return status === 200 ? checked(response, last, { runId, seen }) : response
  }
  const client = plugfest({
    url: "http://plugfest.invalid",
    key,
    fetch: (input, init = {}) => fetchInTurn(new URL(String(input)).pathname, init)
  })

  const go = async () => {
    const events = client.followRun(runId, {
      after,
      signal: stopped.signal,
      onStream: (state) => {
        if (state === "open") openedAt = performance.now()
      }
    })
    for await (const { occurredAt, sequence } of events) {
      const due = (ids.at(-1) ?? after) + 1
      if (sequence < due) seen.doubled += 1
      else if (sequence > due) seen.disordered += 1
      ids.push(sequence)
      const delay = Date.now() - Date.parse(occurredAt)
      if (performance.now() - openedAt >= replayMillis && delay < liveMillis) delays.push(delay)
      await digest?.()
    }
  }
  return {
    runId,
    ids,
    delays,
    refusals,
    reconnects: () => Math.max(0, connections - 1),
    failure: () => failure,
    isServed: () => urls().length > 0,
    done: go().catch((error) => {
      if (!stopped.signal.aborted) failure = error
    }),
    stop: () => stopped.abort(new Error("stopped"))
  }
}

/** The same answer. What it sends is noted as shown, and counted where it is not the events after `last`, each once and in order. */
function checked(
  answer: Response,
  last: number,
  { runId, seen }: Pick<FollowOptions, "runId" | "seen">
): Response {
  const parse = eventParser()
  const decoder = new TextDecoder()
  let sent = last
  const check = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, onward) => {
      for (const { data, id } of parse(decoder.decode(chunk, { stream: true }))) {
        const sequence = Number(id)
        if (sequence <= sent) seen.doubled += 1
        else if (sequence !== sent + 1) seen.disordered += 1
        sent = sequence
        show(seen, runId, sequence, data)
      }
      onward.enqueue(chunk)
    }
  })
  return new Response(answer.body!.pipeThrough(check), { status: answer.status, headers: answer.headers })
}

/** How long a client may take to be up to date, once its run is settled: longer than its longest pause between two tries. */
const arrearsSeconds = 20

/** What clients lack of their runs, whose last sequences are given: each must have all of it, in order. */
export async function arrears(
  followers: ReadonlyArray<Follower>,
  heads: ReadonlyMap<string, number>
): Promise<ReadonlyArray<string>> {
  const due = followers.filter(({ isServed, runId }) => isServed() && heads.has(runId))
  const isBehind = ({ failure, ids, runId }: Follower) =>
    failure() === undefined && (ids.at(-1) ?? 0) < heads.get(runId)!
  const end = performance.now() + arrearsSeconds * 1000
  while (due.some(isBehind) && performance.now() < end) await sleep(100)
  return due.flatMap((one) => {
    const [head, last, failure] = [heads.get(one.runId)!, one.ids.at(-1) ?? 0, one.failure()]
    if (failure !== undefined) return [`a client of ${one.runId} gave up at ${last} of ${head}: ${failure}`]
    return last < head ? [`a client of ${one.runId} has ${last} of ${head} events`] : []
  })
}
