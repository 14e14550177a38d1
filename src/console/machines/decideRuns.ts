/** One decision over several interrupted runs: which runs, what is offered for them, and what became of each. */
import type { Data } from "../../client/plugfest.ts"

type Journey = Data<"journeyRuns.read">
export type Decision = Journey["recoveryOptions"][number]["decision"]

/** A run with the offer that is decided upon. */
export interface Offer {
  readonly runId: string
  readonly version: number
}

/** As many as one page decides upon: they stand in its URL. */
export const mostRuns = 100

/** `run_1.3,run_2.1`: the offers as they stand in the URL. */
export const offersText = (offers: ReadonlyArray<Offer>): string =>
  offers.map(({ runId, version }) => `${runId}.${version}`).join(",")

/** The offers that a URL names, each run once; what is no offer is left out. */
export function offersIn(text: string | undefined): ReadonlyArray<Offer> {
  const found = new Map<string, Offer>()
  for (const part of (text ?? "").split(",")) {
    const [, runId, version] = /^(\w+)\.(\d+)$/.exec(part) ?? []
    if (runId !== undefined) found.set(runId, { runId, version: Number(version) })
  }
  return [...found.values()].slice(0, mostRuns)
}

/** A run as it is now, with the decisions that were applied to it by the version of their offer. */
export interface RunNow {
  readonly journey: Journey
  readonly applied: ReadonlyMap<number, Decision>
}

/**
 * `open`: the offer stands. `decided`: this offer was decided upon, by whoever it was. `moved`: the offer is over without a
 * decision: another one was made, or the run has ended.
 */
type DecisionOutcome =
  | { readonly state: "open" | "moved" }
  | { readonly state: "decided"; readonly decision: Decision }

export function outcomeOf({ version }: Offer, { applied, journey }: RunNow): DecisionOutcome {
  const decision = applied.get(version)
  if (decision !== undefined) return { state: "decided", decision }
  const isOpen = journey.status === "interrupted" && journey.recoveryVersion === version
  return { state: isOpen ? "open" : "moved" }
}

/** A decision that is offered for some of the runs. */
interface Choice {
  readonly decision: Decision
  readonly label: string
  readonly description: string
  readonly runIds: ReadonlyArray<string>
  /** Requests that it sends again, over all of these runs. */
  readonly repeats: ReadonlyArray<string>
}

/** The decisions that are offered for these runs, those for most of them first. */
export function choicesOf(journeys: ReadonlyArray<Journey>): ReadonlyArray<Choice> {
  const choices = new Map<Decision, Choice>()
  for (const { recoveryOptions, runId } of journeys)
    for (const { decision, description, label, repeats } of recoveryOptions) {
      const before = choices.get(decision)
      choices.set(decision, {
        decision,
        label,
        description,
        runIds: [...(before?.runIds ?? []), runId],
        repeats: [...new Set([...(before?.repeats ?? []), ...repeats])]
      })
    }
  return [...choices.values()].sort((a, b) => b.runIds.length - a.runIds.length)
}
