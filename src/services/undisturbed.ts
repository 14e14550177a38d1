/** A run whose scenario bends our answers has its connection for itself: nobody else's grades may suffer from it. */
import { Clock, Effect, Option } from "effect"
import { Conflict } from "../../schema/Errors.ts"
import { ConnectionId } from "../../schema/Ids.ts"
import { terminalStatuses } from "../../schema/RunReport.ts"
import type { ScenarioFault } from "../../schema/Scenario.ts"
import { Ledger } from "../ledger/Ledger.ts"
import { isAnswerFault } from "../party/playing.ts"
import type { Party } from "../store/PartyStore.ts"
import { orUnavailable } from "./unavailable.ts"

/** Runs of a connection that are looked at: open ones are among the newest. */
const newest = 100

/** Refuses a run on a connection whose answers are being bent for another one. */
export const refuseWhileBent = Effect.fn("services.refuseWhileBent")(function* (party: Party) {
  const ledger = yield* Ledger
  const now = new Date(yield* Clock.currentTimeMillis).toISOString()
  for (const { runId, until } of party.playing ?? []) {
    const row = yield* ledger.run(party.ownerId, runId).pipe(orUnavailable)
    const isOpen = Option.isSome(row) && !terminalStatuses.includes(row.value.snapshot.view.status)
    if (isOpen && until > now) {
      return yield* new Conflict({
        message: `Run ${runId} plays faults in our answers on this connection; wait for its end, or cancel it`
      })
    }
  }
})

/**
 * Refuses faults in our answers on a connection on which something else is being run, and changes of its registration:
 * `changes` says whether the run makes any.
 */
export const refuseToDisturb = Effect.fn("services.refuseToDisturb")(function* (
  { id, ownerId }: Party,
  faults: ReadonlyArray<ScenarioFault>,
  changes = false
) {
  const bends = faults.some(({ fault }) => isAnswerFault(fault))
  if (!bends && !changes) return
  const ledger = yield* Ledger
  const connectionId = ConnectionId.make(id)
  const rows = yield* ledger.list({ ownerId, connectionId, limit: newest }).pipe(orUnavailable)
  const open = rows.find(({ snapshot }) => !terminalStatuses.includes(snapshot.view.status))
  if (open === undefined) return
  return yield* new Conflict({
    message: `The ${bends ? "scenario plays faults in our answers" : "journey changes the registration"}, and run ${open.facts.runId} is open on this connection`
  })
})
