/** Mutual exclusion of runs on a connection: runs that inject faults into our answers or change the registration run alone. */

import { Clock, Effect, Option } from "effect"
import { Conflict, NotFound } from "../../../../schema/Errors.ts"
import { isTerminal } from "../../../../schema/RunReport.ts"
import { Ledger } from "../../../ledger/Ledger.ts"
import { nowIso } from "../../../party/wire/instants.ts"
import { registrationState } from "../../../party/wire/registration.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { handshakeOpen, noConnection } from "../../connections/Connections.ts"
import { makeOpenRuns, waitOrCancel } from "../../connections/openRuns.ts"
import { orUnavailable } from "../../requests/unavailable.ts"
import { kindOf } from "../runKinds.ts"

/** What a run does that would falsify the results of another run on the connection. */
export interface Disturbing {
  /** It injects faults into our answers. */
  readonly injectsFaults: boolean
  readonly changesRegistration: boolean
}

/**
 * Makes the check before a new run: Conflict while an open run on the connection excludes it, or it excludes an open run,
 * or a handshake is in progress, or the registration began or ended since `known` was read. Call it under the lock of
 * `OwnedRuns.withinQuota`, so that no other run can start meanwhile.
 */
export const makeRunExclusivity = Effect.gen(function* () {
  const ledger = yield* Ledger
  const parties = yield* PartyStore
  const openRuns = yield* makeOpenRuns

  const requireNoInjectedFaults = traced("services.requireNoInjectedFaults")(function* ({
    ownerId,
    playing = []
  }: Party) {
    const now = yield* nowIso
    for (const { runId, until } of playing) {
      const row = yield* ledger.run(ownerId, runId).pipe(orUnavailable)
      if (Option.exists(row, (one) => !isTerminal(one.snapshot.view.status)) && until > now)
        return yield* new Conflict({
          message: `Run ${runId} injects faults into our answers on this connection; ${waitOrCancel}`
        })
    }
  })

  return traced("services.requireExclusive")(function* (
    known: Party,
    { changesRegistration, injectsFaults }: Disturbing
  ) {
    const found = yield* parties.find(known.id)
    if (Option.isNone(found)) return yield* new NotFound({ message: noConnection })
    const party = found.value
    yield* requireNoInjectedFaults(party)
    const open = yield* openRuns(party)
    const [first] = open
    if ((injectsFaults || changesRegistration) && first !== undefined)
      return yield* new Conflict({
        message: `${injectsFaults ? "The scenario injects faults into our answers" : "The run changes the registration"}, and run ${first.runId} is open on this connection; ${waitOrCancel}`
      })
    const changing = open.find((facts) => kindOf(facts).changesRegistration(facts))
    if (changing !== undefined)
      return yield* new Conflict({
        message: `Run ${changing.runId} (${changing.subjectId}) changes the registration of this connection; ${waitOrCancel}`
      })
    const state = registrationState(party, { nowMillis: yield* Clock.currentTimeMillis })
    if (state === "registering" || state === "rotating" || state === "ending")
      return yield* new Conflict({ message: handshakeOpen })
    if (party.registration !== known.registration)
      return yield* new Conflict({
        message: "The registration of this connection has just changed: read the connection, and start again"
      })
  })
})
