/** The events of a ledger in words. */
import type { LedgerEvent } from "../../client/plugfest.ts"
import { asPages } from "../format/asPages.ts"
import { count, inWords, nameOfId } from "../format/words.ts"

/**
 * What happened, as one sentence. The switch is exhaustive: a new event type must be added here to compile. Of a
 * type that a later release wrote nothing is told.
 */
export function lineOf(event: LedgerEvent): string {
  switch (event.type) {
    case "exchange.intended":
    case "exchange.completed":
    case "inbound.received": {
      const { direction, outcome, request, response } = event.exchange
      const who = direction === "outbound" ? "plugfest" : "The partner"
      const path = shortPath(request.url)
      const answer =
        event.type === "exchange.intended"
          ? "is about to be sent"
          : response === null
            ? outcome.replaceAll("_", " ")
            : `HTTP ${response.httpStatus}${response.ocpiStatusCode === null ? "" : `, ${response.ocpiStatusCode}`}`
      return `${who}: ${request.method} ${path} → ${answer}`
    }
    case "assertions.recorded": {
      const bad = event.assertions.find(({ outcome }) => outcome === "failed")
      return bad === undefined
        ? `${count(event.assertions.length, "assertion")} recorded: ${event.assertions[0]?.title ?? ""}`
        : `Failed: ${bad.title}`
    }
    case "wait.started":
    case "checkpoint.requested":
      return asPages(event.data.instruction)
    case "checkpoint.answered":
      return `An operator answered: ${inWords(event.data.answer)}`
    case "run.interrupted":
      return `Interrupted: ${event.data.reason}`
    case "recovery.offered":
      return `Offer ${event.data.version}: ${event.data.options.map(({ label }) => label).join(", ")}`
    case "recovery.applied":
      return `Decided: ${inWords(event.data.decision)}`
    case "stage.started": {
      const attempt = event.data?.attempt ?? 1
      return `Stage “${nameOfId(event.stageId)}” begins${attempt > 1 ? `, attempt ${attempt}` : ""}`
    }
    case "stage.completed":
      return `Stage “${nameOfId(event.stageId)}” is done`
    case "stage.failed":
      return withReason(`Stage “${nameOfId(event.stageId)}” failed`, event.data?.reason)
    case "stage.skipped":
      return withReason(`Stage “${nameOfId(event.stageId)}” is skipped`, event.data?.reason)
    case "wait.satisfied":
      return "What was awaited has come"
    case "wait.expired":
      return "What was awaited has not come in time"
    case "run.created":
      return `The run is planned: ${count(event.data.stages.length, "stage")}`
    case "run.started":
      return "The run begins"
    case "run.resumed":
      return withReason("The run goes on", event.data?.reason)
    case "cancel.requested":
      return "Somebody asked to cancel the run"
    case "run.completed":
      return withReason("The run is over", event.data?.reason)
    case "run.cancelled":
      return withReason("The run was cancelled", event.data?.reason)
    case "run.failed":
      return withReason("The run failed", event.data?.reason)
    default:
      event satisfies never
      return ""
  }
}

/** The path after the version of OCPI: what stands before it is the same in most. */
const shortPath = (url: string): string => {
  const path = /^https?:\/\/[^/]+(\/.*)$/.exec(url)?.[1] ?? url
  return /\/\d+(?:\.\d+)+(\/.+)$/.exec(path)?.[1] ?? path
}

const withReason = (sentence: string, reason: string | undefined) =>
  reason === undefined || reason === "" ? sentence : `${sentence}: ${reason}`

/** Whether something went wrong with it. */
export const isBad = ({ assertions, type }: LedgerEvent): boolean =>
  type === "stage.failed" ||
  type === "run.interrupted" ||
  assertions.some(({ outcome }) => outcome === "failed")
