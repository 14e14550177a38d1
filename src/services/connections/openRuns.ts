/** The open runs of a connection, which exclude changes of it. */

import { Effect } from "effect"
import { Conflict } from "../../../schema/Errors.ts"
import { ConnectionId } from "../../../schema/Ids.ts"
import { Ledger } from "../../ledger/Ledger.ts"
import type { Party } from "../../store/parties/Party.ts"
import { traced } from "../../telemetry/traced.ts"
import { RateLimits } from "../accounts/RateLimits.ts"
import { orUnavailable } from "../requests/unavailable.ts"

/** Ends messages about an open run. */
export const waitOrCancel = "wait for its end, or cancel it"

/** Makes the function that lists the open runs of a party's connection, newest first. */
export const makeOpenRuns = Effect.map(Ledger, (ledger) =>
  traced("services.openRuns")(({ id, ownerId }: Pick<Party, "id" | "ownerId">) =>
    ledger.openOn(ownerId, ConnectionId.make(id)).pipe(orUnavailable)
  )
)

/**
 * Makes the function that runs a change unless a run is open on the party's connection, whose result it would falsify.
 * While the change runs, no run of the account can start in any process, so the change must be brief.
 */
export const requireNoOpenRun = Effect.gen(function* () {
  const openRuns = yield* makeOpenRuns
  const limits = yield* RateLimits
  const refuse = (party: Pick<Party, "id" | "ownerId">) =>
    Effect.flatMap(openRuns(party), ([open]) =>
      open === undefined
        ? Effect.void
        : new Conflict({
            message: `Run ${open.runId} (${open.subjectId}) is open on this connection; ${waitOrCancel}`
          })
    )
  return <A, E, R>(party: Pick<Party, "id" | "ownerId">, change: Effect.Effect<A, E, R>) =>
    limits.holdQuota("runs", party.ownerId, Effect.zipRight(refuse(party), change))
})
