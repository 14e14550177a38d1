/** The ledger of a run: what is there at first, then each event as it comes. */
import { useEffect, useState } from "react"
import type { LedgerEvent } from "../../client/plugfest.ts"
import { client, patientClient } from "../data/client.ts"
import { type Kept, keepNewest, nothing } from "./foldRun.ts"

const page = 1000
/** Events are shown together: fifty a second need no fifty drawings. */
const togetherMillis = 120
/** Runs have some hundred. */
const mostEvents = 20_000
const endings: ReadonlySet<string> = new Set(["run.completed", "run.cancelled", "run.failed"])

/** `reading`: what is there; `live`; `lost`: the connection broke and is sought; `ended`; `failed` with `error`. */
export interface FollowedLedger extends Kept {
  readonly state: "reading" | "live" | "lost" | "ended" | "failed"
  readonly error?: unknown
}

const unread: FollowedLedger = { events: [], before: nothing, state: "reading" }

/** Follows the ledger of the run while the component is mounted, and calls `onEvents` with each batch of new events. */
export function useLedger(
  runId: string,
  onEvents: (events: ReadonlyArray<LedgerEvent>) => void
): FollowedLedger {
  const [ledger, setLedger] = useState<FollowedLedger>(unread)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another callback is no reason to read all again
  useEffect(() => {
    const stop = new AbortController()
    let waiting: Array<LedgerEvent> = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      const batch = waiting
      waiting = []
      if (batch.length === 0) return
      setLedger((before) => ({ ...before, ...keepNewest(before, batch, mostEvents) }))
      onEvents(batch)
    }
    const say = (state: FollowedLedger["state"]) => setLedger((before) => ({ ...before, state }))
    const follow = async () => {
      let after = 0
      let isEnded = false
      for (;;) {
        const batch = await client.journeyRuns.events(
          { path: { id: runId }, query: { after, limit: page } },
          { signal: stop.signal }
        )
        waiting.push(...batch)
        flush()
        after = batch.at(-1)?.sequence ?? after
        isEnded = batch.some(({ type }) => endings.has(type))
        if (batch.length < page) break
      }
      if (!isEnded) {
        const onStream = (state: "open" | "lost") => say(state === "open" ? "live" : "lost")
        for await (const event of patientClient.followRun(runId, { after, signal: stop.signal, onStream })) {
          waiting.push(event)
          timer ??= setTimeout(flush, togetherMillis)
        }
      }
      flush()
      say("ended")
    }
    setLedger(unread)
    follow().catch((error: unknown) => {
      if (!stop.signal.aborted) setLedger((before) => ({ ...before, state: "failed", error }))
    })
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [runId])
  return ledger
}
