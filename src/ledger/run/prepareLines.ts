/** What a run appends: lines made of drafts, without secrets. Pure. */
import type { Effect } from "effect"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import type { EventDraft, Line, RunFacts } from "../Ledger.ts"
import { type Folded, foldEvent } from "./foldRun.ts"
import { eventIdOf, lineOf } from "./ledgerLine.ts"
import type { RequestedAction, RunKindOf } from "./RunKind.ts"

/** The state of a run after its last acknowledged append. */
export interface OwnedState {
  readonly folded: Folded
  readonly headHash: string
  readonly events: ReadonlyArray<LedgerEvent>
  /** Of the lines that the ledger has acknowledged. The run's owner adds to it; it is the same set in each state. */
  readonly eventIds: Set<string>
}

/** Lines made from drafts, and the state once they are written. */
export interface Prepared<Action extends RequestedAction> {
  readonly lines: ReadonlyArray<Line>
  readonly next: OwnedState
  readonly actions: ReadonlyArray<Action>
}

/** A run whose lines are made. */
interface LinesOf<Action extends RequestedAction> {
  readonly kind: RunKindOf<Action>
  readonly facts: RunFacts
}

/** Drafts to make lines of. */
interface DraftsToPrepare {
  readonly drafts: ReadonlyArray<EventDraft>
  /** ISO 8601 UTC. */
  readonly now: string
  /** Event ids of lines that are made and not yet in the ledger. Default: none. */
  readonly pending?: ReadonlySet<string>
}

/**
 * Numbers, dates and hashes the drafts that are neither in the ledger nor `pending`, by their event ids. Pure; modifies no
 * argument.
 */
export function prepareLines<Action extends RequestedAction>(
  { facts, kind }: LinesOf<Action>,
  state: OwnedState,
  { drafts, now, pending = nothingPending }: DraftsToPrepare
): Prepared<Action> {
  const fresh = new Set<string>()
  const events = [...state.events]
  const lines: Array<Line> = []
  const actions: Array<Action> = []
  let { folded, headHash } = state
  for (const draft of drafts) {
    const eventId = eventIdOf(facts.runId, draft.key)
    if (state.eventIds.has(eventId) || pending.has(eventId) || fresh.has(eventId)) continue
    const stamped = eventOf(
      complete(kind, draft, folded, events),
      events.length + 1,
      laterOf(now, events.at(-1))
    )
    const step = foldEvent(kind, folded, stamped)
    const line = lineOf({ ...stamped, machine: step.folded.machine.value }, eventId, headHash)
    folded = step.folded
    headHash = line.hash
    actions.push(...step.actions)
    fresh.add(eventId)
    events.push(line.event)
    lines.push(line)
  }
  return { lines, actions, next: { folded, headHash, events, eventIds: state.eventIds } }
}

/** No event ids. */
export const nothingPending: ReadonlySet<string> = new Set()

/** Completes an offer without options or version from the machine's state, so that nothing else is ever offered. */
function complete(
  kind: RunKindOf,
  draft: EventDraft,
  { machine, view }: Folded,
  events: ReadonlyArray<LedgerEvent>
): EventDraft {
  if (draft.type !== "recovery.offered") return draft
  const { options = kind.options(machine, events), version = view.recoveryVersion + 1 } = draft.data ?? {}
  return { ...draft, data: { ...draft.data, options, version } }
}

function eventOf(
  { key: _, assertions = [], ...draft }: EventDraft,
  sequence: number,
  occurredAt: string
): LedgerEvent {
  return { sequence, occurredAt, assertions, ...draft } as LedgerEvent // complete by now
}

/** ISO 8601 texts of the same length sort as times do. */
const laterOf = (now: string, last: LedgerEvent | undefined) =>
  last !== undefined && last.occurredAt > now ? last.occurredAt : now

/** The drafts of a new run, the first of which says what the run is, so that nobody can change it beside the lines. */
export const withFacts = (
  { plan: _, ...facts }: RunFacts,
  drafts: ReadonlyArray<EventDraft>
): ReadonlyArray<EventDraft> =>
  drafts.map((draft) => (draft.type === "run.created" ? { ...draft, data: { ...draft.data, facts } } : draft))

/** Replaces secrets in a value of any shape. Another function as soon as there are other secrets. */
export type Clean = <A>(value: A) => A

/**
 * The redaction for a run, by its secrets as of `since` (an instant of `performance.now()`) or later; fails with `DatabaseDown`
 * while they cannot be read.
 */
export type LineCleaner = (facts: RunFacts) => (since: number) => Effect.Effect<Clean, DatabaseDown>

/** The drafts without secrets. Key and type stay unchanged, so that the event can be found again. */
export const cleanDrafts = (clean: Clean, drafts: ReadonlyArray<EventDraft>): ReadonlyArray<EventDraft> =>
  drafts.map(({ exchange, ...draft }: EventDraft & { readonly exchange?: unknown }) => {
    // By itself, because it may be known to hold no secret.
    const cleaned = exchange === undefined ? {} : { exchange: clean(exchange) }
    return { ...clean(draft), ...cleaned, key: draft.key, type: draft.type } as EventDraft
  })
