/** Records the partner's calls in the ledger of a run, each with its relation to the run. */
import { Effect } from "effect"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { EventDraft } from "../../ledger/Ledger.ts"
import { readCalls } from "../../store/parties/exchanges/readCalls.ts"
import { historyOf } from "../catalogue/plan.ts"
import type { RunHistory } from "../model/RunHistory.ts"
import type { RunContext } from "./RunContext.ts"
import { knownLines, relationOf } from "./relation.ts"

/** How many calls of the partner are read at once. */
const inboundPage = 100
/** Milliseconds for which a look is as good as a new one: about what another process takes to tell of a call that it has received. */
const freshMillis = 20

/**
 * Makes the effect that records all calls of the partner since the last recorded one, oldest first. It remembers only what the run's
 * lines say, so a process that takes the run over knows the same.
 */
export const makeInbox = ({
  services,
  log,
  party,
  plan,
  buffer,
  template
}: Pick<
  RunContext,
  "services" | "log" | "party" | "plan" | "buffer" | "template"
>): RunContext["pullInbound"] => {
  let known = knownLines()
  let read = 0
  let last: LedgerEvent | undefined
  /** Of the call that was recorded last. */
  let position = plan.inboundFrom

  /** Reads the lines that are new since the last time, and returns all. */
  const readOn = (): ReadonlyArray<LedgerEvent> => {
    const events = log.events()
    // Buffered lines are made again when there are other secrets to be removed from them.
    if (events[read - 1] !== last) {
      known = knownLines()
      read = 0
      position = plan.inboundFrom
    }
    for (const line of events.slice(read)) {
      known.add(line)
      if (line.type === "inbound.received") position = line.data?.position ?? plan.inboundFrom
    }
    read = events.length
    last = events.at(-1)
    return events
  }

  return Effect.fnUntraced(function* (stageId, nearMiss) {
    readOn()
    const unread = { store: services.store, partyId: party.id, after: position, page: inboundPage }
    yield* readCalls(unread, (calls) => {
      const events = readOn()
      // The relation of the next calls depends on each one, as it will be recorded.
      const here = knownLines(known)
      const recorded: Array<LedgerEvent> = []
      const drafts: Array<EventDraft> = []
      let before: RunHistory | undefined
      for (const { exchange, position } of calls) {
        const heard = { type: "inbound.received", exchange, data: { position } } as const
        const line = { ...heard, sequence: 0, occurredAt: exchange.startedAt, assertions: [] }
        let after: RunHistory | undefined
        // A history is a copy of all lines of the run, so it is made only when a rule looks at it.
        const histories = {
          before: () => {
            before ??= historyOf(plan, recorded.length === 0 ? events : [...events, ...recorded])
            return before
          },
          after: () => {
            after ??= historyOf(plan, [...histories.before().events, line])
            return after
          }
        }
        const relation = relationOf(template, here, histories, exchange)
        const miss = nearMiss?.(histories.before(), histories.after())
        const data = { position, ...relation, ...(miss === undefined ? {} : { nearMiss: miss }) }
        drafts.push({
          ...heard,
          key: `inbound/${position}`,
          ...(stageId === undefined ? {} : { stageId }),
          data
        })
        recorded.push({ ...line, data })
        here.add({ ...line, data })
        before = relation.relation === undefined && miss === undefined ? after : undefined
      }
      return buffer(drafts)
    })
  })
}

/** An inbox that is read only where there may be something new. */
interface SparingInbox {
  readonly pull: RunContext["pullInbound"]
  /** Something is to be sent, which may set off calls to any process: the next pull reads. */
  readonly outdate: () => void
}

/**
 * Reads with `read`, unless the inbox was read just now and nothing has come since. At the end of a stage, at the beginning of the next
 * one and of its wait the inbox is pulled, within a few milliseconds. `arrivals`: how many calls of the partner were announced so far.
 */
export const sparingInbox = (read: RunContext["pullInbound"], arrivals: () => number): SparingInbox => {
  let last: { readonly at: number; readonly arrivals: number } | undefined
  return {
    pull: (stageId, nearMiss) =>
      Effect.suspend(() => {
        const now = { at: performance.now(), arrivals: arrivals() }
        const isFresh = last?.arrivals === now.arrivals && now.at - last.at < freshMillis
        if (isFresh) return Effect.void
        return Effect.map(read(stageId, nearMiss), () => {
          last = now
        })
      }),
    outdate: () => {
      last = undefined
    }
  }
}
