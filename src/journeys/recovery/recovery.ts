/** The decisions that an interrupted run offers: those that its machine accepts, each with its consequences. */
import { journeyRun } from "../../../machines/journeyRun.ts"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { LedgerEvent, LedgerEventOf, UnnumberedEvent } from "../../../schema/LedgerEvent.ts"
import type { Decision, RecoveryOption } from "../../../schema/Recovery.ts"
import { type MachineState, tableOf } from "../../ledger/run/machineTable.ts"
import { consequencesInWords, repeats } from "./consequences.ts"

/** In order of preference: the first one that is offered is recommended. */
const preference: ReadonlyArray<Decision> = [
  "resume",
  "verify_and_resume",
  "retry_stage",
  "finish",
  "skip_stage",
  "restart_as_new",
  "abandon"
]

/** The decisions that a caller may make now, the recommended one first; empty outside `interrupted`. */
export function recoveryOptions(
  state: MachineState<JourneyRunContext>,
  events: ReadonlyArray<LedgerEvent>
): ReadonlyArray<RecoveryOption> {
  if (state.value !== "interrupted") return []
  const { offered, recoveryVersion } = state.context
  const [offering] = offered
    ? [state]
    : tableOf(journeyRun).after(state, offer({ version: recoveryVersion + 1, options: [] }))
  const { context } = offering
  const version = context.recoveryVersion
  return preference
    .filter((decision) => offering.can({ type: "recovery.applied", data: { decision, version } }))
    .map((decision, index) => ({
      decision,
      label: labelOf(decision),
      description: consequencesInWords(decision, context, events),
      recommended: index === 0,
      repeats: repeats(decision, context, events)
    }))
}

const offer = (data: LedgerEventOf<"recovery.offered">["data"]) =>
  ({ type: "recovery.offered", data }) satisfies UnnumberedEvent

/** The label of a decision, as the machine declares it. */
const labelOf = (decision: Decision): string => labels.get(decision) ?? decision

const labels: ReadonlyMap<unknown, string> = new Map(
  (journeyRun.states.interrupted?.on["recovery.applied"] ?? []).map(({ guard, meta }) => {
    // By the machine's declaration each of these transitions has a guard for one decision, and a label.
    const { params } = guard as unknown as { readonly params: { readonly decision: Decision } }
    return [params.decision, (meta as { readonly label: string }).label]
  })
)
