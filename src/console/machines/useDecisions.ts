/** Applies one decision to several runs, one after the other, until it is stopped. */
import { useCallback, useRef, useState } from "react"
import { PlugfestError } from "../../client/plugfest.ts"
import { client } from "../data/client.ts"
import type { Decision, Offer } from "./decideRuns.ts"

/**
 * How far it is. `stopping`: it stops once the run that is decided upon has answered. `problems`: what the service said to a run
 * that it refused.
 */
export interface Deciding {
  readonly state: "idle" | "running" | "stopping" | "stopped" | "over"
  readonly done: number
  readonly of: number
  readonly problems: ReadonlyMap<string, unknown>
}

/** `onDecided` is called after each run, and whether the run took the decision is read from the run itself. */
export function useDecisions(onDecided: (offer: Offer) => Promise<unknown>) {
  const [deciding, setDeciding] = useState<Deciding>({ state: "idle", done: 0, of: 0, problems: new Map() })
  const isStopped = useRef(false)
  const decide = useCallback(
    async (decision: Decision, offers: ReadonlyArray<Offer>) => {
      isStopped.current = false
      const problems = new Map<string, unknown>()
      setDeciding({ state: "running", done: 0, of: offers.length, problems })
      for (const [index, offer] of offers.entries()) {
        if (isStopped.current) break
        const { runId, version } = offer
        try {
          await client.journeyRuns.recovery(
            { path: { id: runId }, body: { decision, recoveryVersion: version } },
            // Asked twice, after a page was left in between, it is done once.
            { idempotencyKey: `decide-${runId}-${version}-${decision}` }
          )
        } catch (error) {
          problems.set(runId, error)
          if (error instanceof PlugfestError && error.status === 401) isStopped.current = true
        }
        await onDecided(offer)
        setDeciding((before) => ({ ...before, done: index + 1, problems: new Map(problems) }))
      }
      setDeciding((before) => ({ ...before, state: before.done < before.of ? "stopped" : "over" }))
    },
    [onDecided]
  )
  const stop = useCallback(() => {
    isStopped.current = true
    setDeciding((before) => ({ ...before, state: "stopping" }))
  }, [])
  return { deciding, decide, stop }
}
