/** The stages of a journey run as one line of symbols, and its events as text. Pure. */
import { type RunProgress, stageUnderWay } from "../../../machines/runProgress.ts"
import type { Outcome } from "../../../schema/Assertion.ts"
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
    case "assertions.recorded":
      return describeAssertions(event)
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

/** How many passed, warned and were not judged, and each that failed. The bar names no stage that was left out: the text does. */
function describeAssertions({
  assertions,
  stageId
}: Extract<LedgerEvent, { readonly type: "assertions.recorded" }>): string | undefined {
  const count = (...outcomes: ReadonlyArray<Outcome>) =>
    assertions.filter(({ outcome }) => outcomes.includes(outcome)).length
  const counts = [
    [count("passed"), "passed"],
    [count("warned"), "warned"],
    [count("unobservable", "not_tested"), "not judged"]
  ] as const
  const counted = counts.flatMap(([many, words]) => (many === 0 ? [] : [`${many} ${words}`])).join(", ")
  const isLeftOut = stageId !== undefined && count("unobservable", "not_tested") === assertions.length
  const bad = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "error")
  const lines = [
    ...(counted === "" ? [] : [`   ${isLeftOut ? `${stageId}: ` : ""}${counted}`]),
    ...bad.map(({ id, message, title }) => `   x ${id}: ${message ?? title}`)
  ]
  return lines.length === 0 ? undefined : lines.join("\n")
}
