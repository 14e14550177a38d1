/** Records the partner's calls in the ledger of a run, each with its relation to the run. */
import { Effect } from "effect"
import { isOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { EventDraft } from "../../ledger/Ledger.ts"
import { readCalls } from "../../store/parties/readCalls.ts"
import { historyOf, type JourneyPlan } from "../catalogue/plan.ts"
import type { NearMiss, RunContext } from "./RunContext.ts"
import { relationOf } from "./relation.ts"

/** How many calls of the partner are read at once. */
const inboundPage = 100

/** Records all calls since the last recorded one, oldest first. */
export const readInbox = Effect.fnUntraced(function* (
  {
    services,
    log,
    party,
    plan,
    buffer,
    template
  }: Pick<RunContext, "services" | "log" | "party" | "plan" | "buffer" | "template">,
  stageId: string | undefined,
  nearMiss?: NearMiss
) {
  const after = cursorOf(log.events(), plan)
  yield* readCalls({ store: services.store, partyId: party.id, after, page: inboundPage }, (calls) => {
    let events = log.events()
    const drafts: Array<EventDraft> = []
    for (const { exchange, position } of calls) {
      const heard = { type: "inbound.received", exchange, data: { position } } as const
      const line = { ...heard, sequence: 0, occurredAt: exchange.startedAt, assertions: [] }
      const [before, after] = [historyOf(plan, events), historyOf(plan, [...events, line])]
      const miss = nearMiss?.(before, after)
      const data = {
        position,
        ...relationOf(template, before, after, exchange),
        ...(miss === undefined ? {} : { nearMiss: miss })
      }
      drafts.push({
        ...heard,
        key: `inbound/${position}`,
        ...(stageId === undefined ? {} : { stageId }),
        data
      })
      // The relation of the next calls depends on this one, as it will be recorded.
      events = [...events, { ...line, data }]
    }
    return buffer(drafts)
  })
})

function cursorOf(events: ReadonlyArray<LedgerEvent>, plan: JourneyPlan): number {
  return events.findLast(isOf("inbound.received"))?.data?.position ?? plan.inboundFrom
}
