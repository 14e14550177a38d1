/** Which events of a ledger are shown. */
import type { LedgerEvent } from "../../client/plugfest.ts"
import { statePath } from "../format/statePath.ts"

/** What a filter of the ledger asks for: a group of types, by the word before the dot, a type, a stage, a state, an edge. */
interface LedgerFilter {
  readonly kind?: string | undefined
  readonly stage?: string | undefined
  readonly state?: string | undefined
  readonly type?: string | undefined
  /** `from>to` of an edge that the machine is drawn with. */
  readonly edge?: string | undefined
}

/** The events that the filter leaves. `edgeOf`: the edge that a move (`from>to event`) takes; without it none is filtered by. */
export function filterEvents(
  events: ReadonlyArray<LedgerEvent>,
  { edge, kind, stage, state, type }: LedgerFilter,
  edgeOf: (move: string) => string | undefined = () => edge
): ReadonlyArray<LedgerEvent> {
  if ([edge, kind, stage, state, type].every((each) => each === undefined)) return events
  // The state before the first event that the page keeps is not among them, and its move is none that is looked for.
  let before: string | undefined
  return events.filter((event) => {
    const after = event.machine === undefined ? before : statePath(event.machine)
    const move = before === undefined || before === after ? undefined : `${before}>${after} ${event.type}`
    before = after
    return (
      (kind === undefined || kindOf(event) === kind) &&
      (type === undefined || event.type === type) &&
      (stage === undefined || event.stageId === stage) &&
      (state === undefined || (event.machine !== undefined && after === state)) &&
      (edge === undefined || (move !== undefined && edgeOf(move) === edge))
    )
  })
}

/** The kinds of events that the ledger can be filtered by. */
export const kinds = ["exchange", "assertions", "wait", "stage", "run"] as const

export function kindOf({ type }: LedgerEvent): (typeof kinds)[number] {
  const word = type.split(".")[0]
  if (word === "exchange" || word === "inbound") return "exchange"
  if (word === "assertions" || word === "stage") return word
  return word === "wait" || word === "checkpoint" ? "wait" : "run"
}
