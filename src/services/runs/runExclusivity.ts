/** Runs that cannot go on beside others on their connection: those that bend our answers, or change the registration. */

import { Clock, Effect, Option } from "effect"
import { Conflict, NotFound } from "../../../schema/Errors.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { Ledger } from "../../ledger/Ledger.ts"
import { registrationState } from "../../party/wire/registration.ts"
import { type Party, PartyStore } from "../../store/parties/PartyStore.ts"
import { handshakeOpen, noConnection } from "../connections/Connections.ts"
import { makeOpenRuns, waitOrCancel } from "../connections/openRuns.ts"
import { orUnavailable } from "../requests/unavailable.ts"
import { makeRunChanges } from "./registrationChanges.ts"

/** What a run does that another one would suffer from. */
export interface Disturbing {
  /** It plays faults in our answers. */
  readonly bends: boolean
  /** It changes the registration. */
  readonly changes: boolean
}

/**
 * Refuses a run on the connection while another one is open on it from which the one or the other would suffer, and while
 * we change the registration by ourselves. To be asked when nobody else can begin a run.
 */
export const makeRunExclusivity = Effect.gen(function* () {
  const ledger = yield* Ledger
  const parties = yield* PartyStore
  const openRuns = yield* makeOpenRuns
  const changesRegistration = yield* makeRunChanges

  const refuseWhileBent = Effect.fn("services.refuseWhileBent")(function* ({ ownerId, playing = [] }: Party) {
    const now = new Date(yield* Clock.currentTimeMillis).toISOString()
    for (const { runId, until } of playing) {
      const row = yield* ledger.run(ownerId, runId).pipe(orUnavailable)
      if (Option.exists(row, (one) => !isTerminal(one.snapshot.view.status)) && until > now)
        return yield* new Conflict({
          message: `Run ${runId} plays faults in our answers on this connection; ${waitOrCancel}`
        })
    }
  })

  return Effect.fn("services.undisturbed")(function* (known: Party, { bends, changes }: Disturbing) {
    const found = yield* parties.find(known.id)
    if (Option.isNone(found)) return yield* new NotFound({ message: noConnection })
    const party = found.value
    yield* refuseWhileBent(party)
    const open = yield* openRuns(party)
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
    const state = registrationState(party, false, yield* Clock.currentTimeMillis)
    if (state === "registering" || state === "rotating" || state === "ending")
      return yield* new Conflict({ message: handshakeOpen })
  })
})
