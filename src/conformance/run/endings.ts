/** The closing events of a conformance run. */
import { Effect } from "effect"
import type { Assertion } from "../../../schema/Assertion.ts"
import { isObject, keyText } from "../../findings/json.ts"
import type { EventDraft } from "../../ledger/Ledger.ts"
import type { RunLog } from "../../ledger/run/RunLog.ts"
import type { Check } from "../model/Check.ts"
import type { ProbeRequest } from "../model/Probe.ts"
import { stageOf, stagesOf } from "../model/stages.ts"
import { leftovers } from "./journal.ts"
import type { SuiteRunOptions } from "./SuiteRunOptions.ts"

type EndingOptions = Pick<SuiteRunOptions, "checks" | "log" | "record" | "stopped">

/** Completes the run, after its last stage or cut short when nothing more may be sent. */
export function endCompleted({ log, record, stopped }: EndingOptions) {
  const reason = stopped()
  return record([
    {
      type: "run.completed",
      key: "run/completed",
      data: { ...(reason === undefined ? {} : { cutShort: true, reason }), ...leftBehind(log) }
    }
  ])
}

/** The clean-up requests that did not succeed, so that a person can do them by hand. */
function leftBehind(log: RunLog) {
  const left = leftovers(log.events()).map(({ undo }) => inWords(undo))
  return left.length === 0 ? {} : { leftBehind: left }
}

/** Characters that are shown of an id of the partner. */
const shownId = 64

/** The request, and of a command what it is about: its URL does not say. */
function inWords({ body, by, method = "GET", module, path = [] }: ProbeRequest): string {
  const about = isObject(body)
    ? ["session_id", "reservation_id"].flatMap((field) =>
        body[field] === undefined ? [] : [`${field} ${keyText(body[field]).slice(0, shownId)}`]
      )
    : []
  const ids = about.length === 0 ? "" : ` of ${about.join(", ")}`
  return `${method} ${module} ${path.join("/")}${ids}${by === "second" ? ", by the second EMSP" : ""}`
}

/**
 * Cancels the run: graded stages keep their assertions; checks of all other stages are graded by `gradeOpen`, on what
 * there is.
 */
export const endCancelled = Effect.fnUntraced(function* <E>(
  { checks, log, record }: EndingOptions,
  gradeOpen: (checks: ReadonlyArray<Check>) => Effect.Effect<ReadonlyArray<Assertion>, E>
) {
  const over = new Set(log.machine().context.done)
  const open = checks.filter((check) => !over.has(stageOf(check)))
  const assertions = yield* gradeOpen(open)
  return yield* record([
    ...stagesOf(open).map(
      (stageId): EventDraft => ({
        type: "stage.skipped",
        key: `${stageId}/skipped`,
        stageId,
        assertions: assertions.filter((_, index) => {
          const check = open[index]
          return check !== undefined && stageOf(check) === stageId
        })
      })
    ),
    {
      type: "run.cancelled",
      key: "run/cancelled",
      data: { cutShort: true, reason: "cancelled on request", ...leftBehind(log) }
    }
  ])
})
