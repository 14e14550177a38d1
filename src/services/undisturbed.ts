/** Runs that cannot go on beside others on their connection: those that bend our answers, or change the registration. */
import { Clock, Effect, Option } from "effect"
import { Conflict } from "../../schema/Errors.ts"
import { ConnectionId } from "../../schema/Ids.ts"
import { terminalStatuses } from "../../schema/RunReport.ts"
import { Ledger, type RunRow } from "../ledger/Ledger.ts"
import { type Party, PartyStore } from "../store/PartyStore.ts"
import { makeRunChanges } from "./registrationChanges.ts"
import { orUnavailable } from "./unavailable.ts"

/** Runs of a connection that are looked at: open ones are among the newest. */
const newest = 100

/** What a run does that another one would suffer from. */
export interface Disturbing {
  /** It plays faults in our answers. */
  readonly bends: boolean
  /** It changes the registration. */
  readonly changes: boolean
}

/**
 * Refuses a run on the connection while another one is open on it from which the one or the other would suffer. To be asked
 * when nobody else can begin a run.
 */
export const makeUndisturbed = Effect.gen(function* () {
  const ledger = yield* Ledger
  const parties = yield* PartyStore
  const changesRegistration = yield* makeRunChanges

  const isOpen = ({ snapshot }: RunRow) => !terminalStatuses.includes(snapshot.view.status)

  const refuseWhileBent = Effect.fn("services.refuseWhileBent")(function* ({ id, ownerId }: Party) {
    const playing = Option.flatMapNullable(yield* parties.find(id), (party) => party.playing)
    const now = new Date(yield* Clock.currentTimeMillis).toISOString()
    for (const { runId, until } of Option.getOrElse(playing, () => [])) {
      const row = yield* ledger.run(ownerId, runId).pipe(orUnavailable)
      if (Option.exists(row, isOpen) && until > now)
        return yield* new Conflict({
          message: `Run ${runId} plays faults in our answers on this connection; ${waitOrCancel}`
        })
    }
  })

  return Effect.fn("services.undisturbed")(function* (party: Party, { bends, changes }: Disturbing) {
    yield* refuseWhileBent(party)
    const { id, ownerId } = party
    const connectionId = ConnectionId.make(id)
    const rows = yield* ledger.list({ ownerId, connectionId, limit: newest }).pipe(orUnavailable)
    const open = rows.filter(isOpen)
    const [first] = open
    if ((bends || changes) && first !== undefined)
      return yield* new Conflict({
        message: `${bends ? "The scenario plays faults in our answers" : "The run changes the registration"}, and run ${first.facts.runId} is open on this connection; ${waitOrCancel}`
      })
    const changing = open.find(({ facts }) => changesRegistration(facts))
    if (changing !== undefined)
      return yield* new Conflict({
        message: `Run ${changing.facts.runId} (${changing.facts.subjectId}) changes the registration of this connection; ${waitOrCancel}`
      })
  })
})

const waitOrCancel = "wait for its end, or cancel it"
