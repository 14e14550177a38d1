/** The stages of a journey run as one line of symbols, and its events as text. Pure. */
import { type RunProgress, stageUnderWay } from "../../../machines/runProgress.ts"
import type { StageState } from "../../../schema/JourneyRun.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { requestName } from "../../findings/answers.ts"

const symbols: Readonly<Record<StageState, string>> = {
  pending: "·",
  active: ">",
  waiting: "~",
  completed: "#",
  failed: "x",
  skipped: "-"
}

/** What the symbols of the bar mean, in one line. */
export const barLegend = `[${Object.values(symbols).join("")}]: a stage that is ${Object.entries(symbols)
  .map(([mark, symbol]) => `${symbol} ${mark}`)
  .join(", ")}`

/** `[####~·····] start-result` */
export function stageBar(progress: RunProgress): string {
  const bar = progress.stages.map(({ state }) => symbols[state]).join("")
  return `[${bar}] ${stageUnderWay(progress) ?? ""}`.trimEnd()
}

/** An event as text, or undefined for events that are not shown. */
export function describeEvent(event: LedgerEvent): string | undefined {
  switch (event.type) {
    case "exchange.completed":
      return `-> ${requestName(event.exchange)} ${event.exchange.response?.httpStatus ?? event.exchange.outcome}`
    case "inbound.received":
      return `<- ${requestName(event.exchange)} ${event.exchange.response?.httpStatus ?? ""}`
    case "assertions.recorded": {
      const count = (outcome: string) => event.assertions.filter((one) => one.outcome === outcome).length
      const bad = event.assertions.filter((one) => one.outcome === "failed" || one.outcome === "error")
      return [
        `   ${count("passed")} passed${count("warned") > 0 ? `, ${count("warned")} warned` : ""}`,
        ...bad.map((one) => `   x ${one.id}: ${one.message ?? one.title}`)
      ].join("\n")
    }
    case "checkpoint.requested":
      return `?? a person is asked: ${event.data.instruction}`
    case "wait.started":
      return `.. waiting: ${event.data.instruction}`
    case "run.interrupted":
    case "run.failed":
      return `!! ${event.type} ${event.data?.reason ?? ""}`
    // The progress bar shows these already, or a reader of the terminal has nothing to do about them.
    case "run.created":
    case "run.started":
    case "run.resumed":
    case "run.completed":
    case "run.cancelled":
    case "stage.started":
    case "stage.completed":
    case "stage.failed":
    case "stage.skipped":
    case "exchange.intended":
    case "wait.satisfied":
    case "wait.expired":
    case "checkpoint.answered":
    case "recovery.offered":
    case "recovery.applied":
    case "cancel.requested":
      return undefined
  }
}
