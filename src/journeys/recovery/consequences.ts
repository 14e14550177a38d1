/** What a decision about an interrupted run will cause, in words, and which requests it repeats. Pure. */
import { currentStage, type JourneyRunContext, maxRecoveries } from "../../../machines/journeyRunContext.ts"
import { exchangeIn, isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { Decision } from "../../../schema/Recovery.ts"
import { requestName } from "../../findings/answers.ts"
import { historyOf, readPlan } from "../catalogue/plan.ts"
import { templateOf } from "../catalogue/playable.ts"
import { cleanUpsOf } from "../model/JourneyTemplate.ts"
import { purposeOf } from "../model/RunHistory.ts"

/** The effect of a decision in full sentences: on the run, on the partner, and how many decisions are left. */
export function consequencesInWords(
  decision: Decision,
  context: JourneyRunContext,
  events: ReadonlyArray<LedgerEvent>
): string {
  const stage = currentStage(context)
  // By its id, as in ledger, report and pages.
  const name = stage === undefined ? "the end" : `stage ${stage.id}`
  const again = repeats(decision, context, events)
  const sentAgain = again.length === 0 ? "Nothing is sent a second time." : `Sent again: ${again.join(", ")}.`
  const left = maxRecoveries - context.recoveries - 1
  const limit =
    left > 0
      ? `After it, ${left} more recoveries of this run are possible.`
      : "It is the last recovery of this run."
  const open = leftOpen(decision, context, events)
  const texts: Record<Decision, ReadonlyArray<string>> = {
    resume: [
      `Continue at ${name} after the last recorded step. plugfest reads, where it can, what the partner may have sent meanwhile, and a wait starts again.`,
      sentAgain,
      limit
    ],
    verify_and_resume: [
      `Read at the partner whether the request whose answer was lost took effect, record that, and continue. If it took no effect, ${name} counts as not observed.`,
      sentAgain,
      limit
    ],
    retry_stage: [
      `Run ${name} again from its beginning. The new grades replace the earlier ones.`,
      sentAgain,
      ...open,
      limit
    ],
    skip_stage: [`Skip ${name}: its assertions count as not tested.`, sentAgain, ...open, limit],
    restart_as_new: [
      "Clean up at the partner, close this run as cancelled, and start a new run with the same plan.",
      ...open,
      sentAgain
    ],
    finish: [
      "Clean up at the partner, and grade what is recorded. The rest counts as not tested.",
      ...open,
      sentAgain
    ],
    abandon: ["Clean up at the partner, and close this run as cancelled.", ...open, sentAgain]
  }
  return texts[decision].join(" ")
}

const ending: ReadonlyArray<Decision> = ["restart_as_new", "finish", "abandon"]

/** What the decision cleans up at the partner, what remains there, and what stays unknown. */
function leftOpen(
  decision: Decision,
  context: JourneyRunContext,
  events: ReadonlyArray<LedgerEvent>
): ReadonlyArray<string> {
  const unknown = context.open
    .filter(({ write }) => write)
    .map(({ id }) => {
      const request = events.map(exchangeIn).find((exchange) => exchange?.id === id)
      return request === undefined ? "the request" : requestName(request)
    })
  const unresolved =
    unknown.length === 0
      ? []
      : [`plugfest does not know whether ${unknown.join(", ")} took effect at the partner: check it there.`]
  if (!ending.includes(decision)) return unresolved
  const { cleanUps, remains } = neededCleanUp(events)
  const sends = cleanUps.map((cleanUp) => cleanUp.sends)
  return [
    sends.length === 0
      ? "As far as plugfest knows, nothing of this run is active at the partner."
      : `The clean-up sends ${sends.join(", ")}.`,
    ...(remains.length === 0 ? [] : [`At the partner remains: ${remains.join(", ")}.`]),
    ...unresolved
  ]
}

/** The requests that the decision sends a second time, for display, e.g. `POST commands/START_SESSION`. */
export function repeats(
  decision: Decision,
  context: JourneyRunContext,
  events: ReadonlyArray<LedgerEvent>
): ReadonlyArray<string> {
  const wasSent = (stageId: string) =>
    events.some(({ stageId: id, type }) => type === "exchange.intended" && id === stageId)
  switch (decision) {
    case "resume":
    case "verify_and_resume":
    case "skip_stage":
      return []
    case "retry_stage": {
      const stage = currentStage(context)
      return stage !== undefined && wasSent(stage.id) ? stage.sends : []
    }
    case "restart_as_new":
      return [
        ...new Set([
          ...cleanUpRepeats(events),
          ...earlierCleanUps(events),
          ...context.stages.filter(({ id }) => wasSent(id)).flatMap(({ sends }) => sends)
        ])
      ]
    case "finish":
    case "abandon":
      return cleanUpRepeats(events)
  }
}

/** Clean-up requests that had been sent before. */
function cleanUpRepeats(events: ReadonlyArray<LedgerEvent>): ReadonlyArray<string> {
  const wasSent = (operation: string) =>
    events.filter(isEventOf("exchange.intended")).some(({ exchange }) => exchange.operation === operation)
  return neededCleanUp(events)
    .cleanUps.filter((one) =>
      wasSent("goBackTo" in one ? one.sends : one.call("", events[0]?.occurredAt ?? "").operation)
    )
    .map(({ sends }) => sends)
}

/** The writes of this run's earlier clean-ups: the new run will send them in its turn. */
const earlierCleanUps = (events: ReadonlyArray<LedgerEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => {
    if (event.type !== "exchange.intended" || purposeOf(event) !== "clean-up") return []
    const { module, operation, request } = event.exchange
    const where = module === "commands" ? `${module}/${operation}` : module
    return request.method === "GET" ? [] : [`${request.method} ${where}`]
  })

/** The clean-ups that the run's template needs now, by a caller's decision, and what remains after them. */
function neededCleanUp(events: ReadonlyArray<LedgerEvent>) {
  const stored = events.find(isEventOf("run.created"))?.data.plan
  if (stored === undefined) return { cleanUps: [], remains: [] }
  const plan = readPlan(stored)
  const template = templateOf(plan)
  const history = historyOf(plan, events)
  const parts = template === undefined ? [] : (template.parts ?? [template])
  return {
    cleanUps: parts.flatMap((part) => cleanUpsOf(part, history, "decision")),
    remains: parts.flatMap(({ remains }) => remains?.(history) ?? [])
  }
}
