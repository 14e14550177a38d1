/** A client that follows a run over server-sent events, and resumes at any process that answers. */
import { key, sleep } from "../../../test/support/service/Service.ts"
import { type Seen, show } from "./Seen.ts"

/** What the client has received. */
export interface Follower {
  /** Ids of events, in the order in which they came. */
  readonly ids: ReadonlyArray<number>
  /** Delays in milliseconds from the time in a line to its arrival, of live lines only. */
  readonly delays: ReadonlyArray<number>
  readonly reconnects: () => number
  /** Counts of answers other than 200 and 204, by status. */
  readonly refusals: ReadonlyMap<number, number>
  /** Resolves when the run is over, or after a stop. */
  readonly done: Promise<void>
  readonly stop: () => void
}

interface FollowOptions {
  readonly runId: string
  /** Called for each new connection; the URLs are used in turn. */
  readonly urls: () => ReadonlyArray<string>
  readonly seen: Seen
}

/** A line older than this at its arrival was replayed, and says nothing about the delivery. */
const liveMillis = 30_000

/** Starts following a run. */
export function follow({ runId, seen, urls }: FollowOptions): Follower {
  const ids: Array<number> = []
  const delays: Array<number> = []
  const refusals = new Map<number, number>()
  const stopped = new AbortController()
  let connections = 0
  let over = false

  const take = (frame: string, replayed: boolean) => {
    const id = /^id: (\d+)$/m.exec(frame)?.[1]
    const line = /^data: (.*)$/m.exec(frame)?.[1]
    if (id === undefined || line === undefined) return
    const sequence = Number(id)
    if (sequence <= (ids.at(-1) ?? 0)) seen.doubled += 1
    else if (sequence !== (ids.at(-1) ?? 0) + 1) seen.disordered += 1
    ids.push(sequence)
    show(seen, runId, sequence, line)
    const { occurredAt, type } = JSON.parse(line) as { readonly occurredAt: string; readonly type: string }
    const delay = Date.now() - Date.parse(occurredAt)
    if (!replayed && delay < liveMillis) delays.push(delay)
    if (/^run\.(completed|cancelled|failed)$/.test(type)) over = true
  }

  const read = async (url: string) => {
    const response = await fetch(`${url}/api/v1/testing/journey-runs/${runId}/stream`, {
      headers: {
        authorization: `Bearer ${key}`,
        ...(ids.length === 0 ? {} : { "last-event-id": String(ids.at(-1)) })
      },
      signal: stopped.signal
    })
    if (response.status === 204) over = true
    if (response.status !== 200 || response.body === null) {
      if (response.status !== 204) refusals.set(response.status, (refusals.get(response.status) ?? 0) + 1)
      await response.body?.cancel()
      return
    }
    const began = performance.now()
    const decoder = new TextDecoder()
    let rest = ""
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true })
      const frames = rest.split("\n\n")
      rest = frames.pop() ?? ""
      // The first frames of a connection are the replay.
      for (const frame of frames) take(frame, performance.now() - began < 300)
      if (over) return
    }
  }

  const go = async () => {
    while (!over && !stopped.signal.aborted) {
      const all = urls()
      const url = all[connections % Math.max(1, all.length)]
      connections += 1
      if (url !== undefined) await read(url).catch(() => {})
      if (!over && !stopped.signal.aborted) await sleep(100)
    }
  }
  return {
    ids,
    delays,
    refusals,
    reconnects: () => Math.max(0, connections - 1),
    done: go(),
    stop: () => stopped.abort()
  }
}
